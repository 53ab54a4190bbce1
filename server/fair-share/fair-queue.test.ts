import { afterEach, expect, test, vi } from "vitest";
import { AppError } from "../errors.ts";
import { createFairQueue } from "./fair-queue.ts";

const refuse = (reason: string) => new AppError(reason === "full" ? "TOO_MANY_ATTEMPTS" : "UNAVAILABLE", "Too many.");

afterEach(() => void vi.useRealTimers());

/** Waits until the next work has begun. */
async function settle() {
  for (let tick = 0; tick < 10; tick++) await Promise.resolve();
}

/** Creates a queue whose work ends when the test says so, in the order in which it began. */
function createDesk(limits: { atOnce: number; perCaller: number; waiting: number; inAll?: number }) {
  const queue = createFairQueue({ ...limits, refuse });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string) =>
    queue.run(caller, async () => {
      begun.push(caller);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  async function endNext() {
    await settle();
    ends.shift()?.();
    await settle();
  }
  return { ask, begun, endNext };
}

test("a caller with nothing queued goes ahead of one with many queued", async () => {
  const { ask, begun, endNext } = createDesk({ atOnce: 1, perCaller: 1, waiting: 10 });
  const all = [ask("mallory"), ask("mallory"), ask("mallory"), ask("ada"), ask("bob"), ask("ada")];
  for (let turn = 0; turn < all.length; turn++) await endNext();
  expect(begun).toEqual(["mallory", "ada", "bob", "mallory", "ada", "mallory"]);
});

test("one caller never takes every slot", async () => {
  const { ask, begun, endNext } = createDesk({ atOnce: 3, perCaller: 2, waiting: 10 });
  const all = [ask("mallory"), ask("mallory"), ask("mallory"), ask("ada")];
  await settle();
  expect(begun).toEqual(["mallory", "mallory", "ada"]);
  for (let turn = 0; turn < all.length; turn++) await endNext();
  await Promise.all(all);
  expect(begun).toHaveLength(4);
});

test("limits the queue of each caller, without affecting another's, and of all together", async () => {
  const { ask, begun, endNext } = createDesk({ atOnce: 1, perCaller: 1, waiting: 2, inAll: 3 });
  const waiting = [ask("mallory"), ask("mallory"), ask("mallory")];
  await expect(ask("mallory")).rejects.toMatchObject({ code: "TOO_MANY_ATTEMPTS" });
  waiting.push(ask("ada"));
  // The limit for all callers together is reached.
  await expect(ask("bob")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  for (let turn = 0; turn < waiting.length; turn++) await endNext();
  await Promise.all(waiting);
  expect(begun).toEqual(["mallory", "ada", "mallory", "mallory"]);
});

test("rejects a caller that has waited too long, and goes on with the others", async () => {
  const queue = createFairQueue({ atOnce: 1, perCaller: 1, waiting: 10, timeout: 1, refuse });
  const end = await queue.enter("mallory");
  await expect(queue.enter("ada")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  end();
  expect(await queue.run("bob", async () => "done")).toBe("done");
});

test("measures the wait as how long the next caller has been without a turn", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const queue = createFairQueue({ atOnce: 2, perCaller: 1, waiting: 10, refuse });
  const endFirst = await queue.enter("mallory");
  const second = queue.enter("mallory");
  vi.advanceTimersByTime(400);
  // It waits for another of mallory's, and holds up nobody.
  expect(queue.measureWait()).toBe(0);
  const endAda = await queue.enter("ada");
  const bob = queue.enter("bob");
  vi.advanceTimersByTime(300);
  expect(queue.measureWait()).toBe(300);
  endFirst();
  const endBob = await bob;
  vi.advanceTimersByTime(50);
  // Mallory's second has waited for 750 ms, but mallory has only been without a turn for 50 ms.
  expect(queue.measureWait()).toBe(50);
  endAda();
  (await second)();
  endBob();
  expect(queue.measureWait()).toBe(0);
});

test("work that fails ends its turn", async () => {
  const queue = createFairQueue({ atOnce: 1, perCaller: 1, waiting: 1, refuse });
  await expect(queue.run("ada", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await queue.run("ada", async () => "done")).toBe("done");
});

/** Creates a queue with a single caller. */
function createGate({ concurrent, waiting }: { concurrent: number; waiting: number }) {
  const queue = createFairQueue({
    atOnce: concurrent,
    perCaller: concurrent,
    waiting,
    refuse: () => new AppError("UNAVAILABLE", "Too many.", { retryAfter: 2 }),
  });
  return {
    ensureRoom: () => queue.ensureRoom("everybody"),
    run: <Result>(work: () => Promise<Result>) => queue.run("everybody", work),
  };
}

test("runs up to the limit concurrently, queues as many as may wait in order, and rejects the rest", async () => {
  const gate = createGate({ concurrent: 2, waiting: 2 });
  const started: number[] = [];
  const tasks = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
  const results = tasks.map((task, index) =>
    gate.run(() => {
      started.push(index);
      return task.promise;
    }),
  );

  await settle();
  expect(started).toEqual([0, 1]);
  expect(gate.ensureRoom).toThrow(expect.objectContaining({ code: "UNAVAILABLE", retryAfter: expect.any(Number) }));
  await expect(gate.run(async () => 4)).rejects.toMatchObject({ code: "UNAVAILABLE" });

  tasks[1]?.resolve(1);
  await results[1];
  await settle();
  expect(started).toEqual([0, 1, 2]);
  for (const index of [0, 2, 3]) tasks[index]?.resolve(index);
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  expect(started).toEqual([0, 1, 2, 3]);
});

test("a failed task makes room for the next", async () => {
  const gate = createGate({ concurrent: 1, waiting: 0 });
  await expect(gate.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await gate.run(async () => "next")).toBe("next");
});

test("a freed slot is not given away twice", async () => {
  const gate = createGate({ concurrent: 1, waiting: 1 });
  let running = 0;
  let most = 0;
  const task = async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  };
  await Promise.all([gate.run(task), gate.run(task)]);
  await Promise.all([gate.run(task), gate.run(task)]);
  expect(most).toBe(1);
});
