import { expect, test } from "vitest";
import { createMemoryLimiter } from "./memory-limiter.ts";

const rule = { name: "test", burst: 2, seconds: 10 };

test("allows the rule's burst, then one more per interval, and counts each subject separately", async () => {
  let at = 0;
  const { take, tryTake } = createMemoryLimiter({ now: () => new Date(at) });
  const tries = [await tryTake(rule, "ada"), await tryTake(rule, "ada"), await tryTake(rule, "ada")];
  expect([...tries, await tryTake(rule, "bob")]).toEqual([true, true, false, true]);
  await expect(take(rule, "ada")).rejects.toMatchObject({ code: "TOO_MANY_ATTEMPTS", retryAfter: 10 });
  at = 10_000;
  await take(rule, "ada");
  expect(await tryTake(rule, "ada")).toBe(false);
});

test("forgets the least recently used subject if there are too many", async () => {
  const { tryTake } = createMemoryLimiter({ now: () => new Date(0) }, 2);
  for (const subject of ["ada", "ada", "bob", "eve"]) await tryTake(rule, subject);
  expect(await tryTake(rule, "ada")).toBe(true);
});

test("a limit used up by a clock that was ahead recovers in its usual time", async () => {
  let at = 86_400_000;
  const { tryTake } = createMemoryLimiter({ now: () => new Date(at) });
  for (let index = 0; index < 3; index += 1) await tryTake(rule, "ada");
  at = 0;
  expect([await tryTake(rule, "ada"), await tryTake(rule, "ada")]).toEqual([true, false]);
  at = 10_000;
  expect([await tryTake(rule, "ada"), await tryTake(rule, "ada")]).toEqual([true, false]);
});
