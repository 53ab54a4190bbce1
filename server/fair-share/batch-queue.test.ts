import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBatchQueue } from "./batch-queue.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Creates a queue, and a function that sends batches of the given duration and records when they begin. */
function createBatches() {
  const queue = createBatchQueue();
  const begun: string[] = [];
  const send = (userId: string, milliseconds = 100) =>
    queue.run(userId, async () => {
      begun.push(userId);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    });
  return { begun, send };
}

test("a member's next batch runs after waiting three times as long as the last one took", async () => {
  const { begun, send } = createBatches();
  const sent = [send("ada"), send("ada")];
  await vi.advanceTimersByTimeAsync(100);
  await sent[0];
  await vi.advanceTimersByTimeAsync(299);
  expect(begun).toEqual(["ada"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(["ada", "ada"]);
  await vi.advanceTimersByTimeAsync(100);
  await sent[1];
});

test("a member's next batch waits half a second at most, however long the last one took", async () => {
  const { begun, send } = createBatches();
  const sent = [send("ada", 1000), send("ada")];
  await vi.advanceTimersByTimeAsync(1000);
  await sent[0];
  await vi.advanceTimersByTimeAsync(499);
  expect(begun).toEqual(["ada"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(["ada", "ada"]);
  await vi.advanceTimersByTimeAsync(100);
  await sent[1];
});

test("fifty batches of a member can wait, and one more is rejected", async () => {
  const { send } = createBatches();
  const sent = Array.from({ length: 51 }, () => send("ada", 1));
  const message = "Your earlier batches are still being counted. Please send one at a time.";
  await expect(send("ada", 1)).rejects.toMatchObject({ code: "TOO_MANY_ATTEMPTS", message, retryAfter: 2 });
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all(sent);
});

test("resting members hold up nobody else, and a short batch needs no rest", async () => {
  const { begun, send } = createBatches();
  const members = ["ada", "bob", "cyd", "dan"];
  const sent = [...members.map((name) => send(name)), send("eve", 5), send("eve", 5)];
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toEqual([...members, "eve"]);
  await vi.advanceTimersByTimeAsync(5);
  // The 100 ms that her first batch waited for a place do not count as work.
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([...members, "eve", "eve"]);
  await vi.advanceTimersByTimeAsync(5);
  await Promise.all(sent);
});
