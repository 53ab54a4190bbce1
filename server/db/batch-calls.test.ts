import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { batchCalls } from "./batch-calls.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** Creates work that records its groups, each of which waits until `goOn` is called for it. */
function createWork() {
  const groups: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  async function work(calls: number[]) {
    const gate = Promise.withResolvers<void>();
    groups.push(calls);
    gates.push(gate);
    await gate.promise;
    return calls.map((call) => call * 10);
  }
  return { groups, work, goOn: (group: number) => gates[group]?.resolve() };
}

const options = { atOnce: 1, most: 100, sizeOf: () => 1 };

test("the first call starts at once, and calls that arrive meanwhile share the next group", async () => {
  const { groups, work, goOn } = createWork();
  const run = batchCalls(work, options);

  const first = run(1);
  const others = [2, 3, 4].map(run);
  expect(groups).toEqual([[1]]);
  goOn(0);
  expect(await first).toBe(10);
  await expect.poll(() => groups).toEqual([[1], [2, 3, 4]]);
  goOn(1);

  expect(await Promise.all(others)).toEqual([20, 30, 40]);
});

test("a group runs in the context of its own first call, not of an earlier group's", async () => {
  const request = new AsyncLocalStorage<string>();
  const { work, goOn } = createWork();
  const seen: unknown[] = [];
  const run = batchCalls((calls: number[]) => {
    seen.push(request.getStore());
    return work(calls);
  }, options);

  const calls = [1, 2, 3].map((call) => request.run(`request ${call}`, () => run(call)));
  goOn(0);
  await calls[0];
  await expect.poll(() => seen).toEqual(["request 1", "request 2"]);
  goOn(1);

  expect(await Promise.all(calls)).toEqual([10, 20, 30]);
});

test("runs no more groups at once than allowed", async () => {
  const { groups, work, goOn } = createWork();
  const run = batchCalls(work, { ...options, atOnce: 2 });

  const calls = [1, 2, 3].map(run);
  expect(groups).toEqual([[1], [2]]);
  goOn(1);
  await expect.poll(() => groups).toEqual([[1], [2], [3]]);
  [0, 2].forEach(goOn);

  expect(await Promise.all(calls)).toEqual([10, 20, 30]);
});

test("no group exceeds the maximum size, except for a single call that exceeds it alone", async () => {
  const groups: number[][] = [];
  const work = async (calls: number[]) => {
    groups.push(calls);
    return calls;
  };
  const run = batchCalls(work, { atOnce: 1, most: 10, sizeOf: (call) => call });

  await Promise.all([1, 4, 6, 1, 50, 2, 3].map(run));

  expect(groups).toEqual([[1], [4, 6], [1], [50], [2, 3]]);
});

test("a failing call fails alone, with its own error", async () => {
  const run = batchCalls(async (calls: number[]) => {
    if (calls.includes(5)) throw new Error("five");
    return calls;
  }, options);

  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map(run));

  const failed = { status: "rejected", reason: new Error("five") };
  expect(outcomes).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((value) => (value === 5 ? failed : { status: "fulfilled", value })),
  );
});

test("if the database is unavailable, the whole group fails without retries, and the next call is tried", async () => {
  let isAway = true;
  let tries = 0;
  const run = batchCalls(async (calls: number[]) => {
    tries += 1;
    if (isAway) throw new DatabaseUnavailable("The database cannot be reached.");
    return calls;
  }, options);

  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(run));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  expect(tries).toBe(2);

  isAway = false;
  expect(await run(5)).toBe(5);
});
