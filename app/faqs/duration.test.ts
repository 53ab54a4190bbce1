import { expect, test } from "vitest";
import { describeDuration, describeInterval } from "./duration.ts";

test.each([
  [1, "1 second"],
  [15, "15 seconds"],
  [90, "90 seconds"],
  [1001, "1.001 seconds"],
  [60, "1 minute"],
  [900, "15 minutes"],
  [3600, "1 hour"],
  [86_400, "1 day"],
  [2_592_000, "30 days"],
])("describes %i seconds as %s", (seconds, words) => {
  expect(describeDuration(seconds)).toBe(words);
});

test("leaves out the number of an interval of one unit", () => {
  expect([3600, 900, 15].map(describeInterval)).toEqual(["every hour", "every 15 minutes", "every 15 seconds"]);
});
