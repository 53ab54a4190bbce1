import { expect, test } from "vitest";
import { chooseWait } from "./back-off.ts";

test("doubles the wait after each failure, up to five minutes", () => {
  const waits = [1, 2, 3, 4, 9, 10, 1000].map((failures) => chooseWait(failures, undefined, () => 1));
  expect(waits).toEqual([1000, 2000, 4000, 8000, 256_000, 300_000, 300_000]);
});

test("spreads nodes over the second half of a wait", () => {
  expect([0, 0.5, 1].map((chance) => chooseWait(3, undefined, () => chance))).toEqual([2000, 3000, 4000]);
});

test("never retries before the time that the server asked for", () => {
  expect(chooseWait(1, 30, () => 0)).toBe(30_000);
  expect(chooseWait(9, 30, () => 1)).toBe(256_000);
  expect(chooseWait(1, 3600, () => 0)).toBe(3_600_000);
});

test("retries within an hour, even if the server asked for a longer wait", () => {
  expect(chooseWait(1, 365 * 24 * 3600, () => 0)).toBe(3_600_000);
});
