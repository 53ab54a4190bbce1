import { expect, test } from "vitest";
import { createGate } from "./gate.ts";

test("runs so many at once, lets so many wait in order, and refuses the rest", async () => {
  const gate = createGate({ concurrent: 2, waiting: 2 });
  const started: number[] = [];
  const tasks = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
  const results = tasks.map((task, index) =>
    gate.run(() => {
      started.push(index);
      return task.promise;
    }),
  );

  expect(started).toEqual([0, 1]);
  expect(gate.ensureRoom).toThrow(expect.objectContaining({ code: "UNAVAILABLE", retryAfter: expect.any(Number) }));
  await expect(gate.run(async () => 4)).rejects.toMatchObject({ code: "UNAVAILABLE" });

  tasks[1]?.resolve(1);
  await results[1];
  expect(started).toEqual([0, 1, 2]);
  for (const index of [0, 2, 3]) tasks[index]?.resolve(index);
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  expect(started).toEqual([0, 1, 2, 3]);
});

test("a task that fails makes room as well", async () => {
  const gate = createGate({ concurrent: 1, waiting: 0 });
  await expect(gate.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await gate.run(async () => "next")).toBe("next");
});

test("room that is freed is not given away twice", async () => {
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
