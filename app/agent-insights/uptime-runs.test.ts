import { expect, test } from "vitest";
import { describeLength, isBeating, timeOf, toDays, toRuns } from "./uptime-runs.ts";

test("groups adjacent slots of the same state into one run", () => {
  expect(toRuns(["before", "beat", "beat", "missed", "beat", "pending"])).toEqual([
    { state: "before", start: 0, length: 1 },
    { state: "beat", start: 1, length: 2 },
    { state: "missed", start: 3, length: 1 },
    { state: "beat", start: 4, length: 1 },
    { state: "pending", start: 5, length: 1 },
  ]);
  expect(toRuns([])).toEqual([]);
});

test("places slots in their calendar day, at their time of day", () => {
  const from = "2026-11-19T23:30:00.000Z";
  expect(toDays({ from, slotSeconds: 900, slots: ["missed", "beat", "beat", "pending"] })).toEqual([
    { date: "2026-11-19", first: 0, offset: 94, slots: ["missed", "beat"] },
    { date: "2026-11-20", first: 2, offset: 0, slots: ["beat", "pending"] },
  ]);
});

test("returns when a slot begins, counted from the first", () => {
  expect(timeOf({ from: "2026-11-20T12:15:00.000Z", slotSeconds: 900 }, 3)).toBe("2026-11-20T13:00:00.000Z");
});

test("a node is beating if its latest decided slot has a heartbeat", () => {
  expect(isBeating({ slots: ["missed", "beat", "pending"] })).toBe(true);
  expect(isBeating({ slots: ["missed", "missed", "beat"] })).toBe(true);
  expect(isBeating({ slots: ["beat", "missed", "pending"] })).toBe(false);
  // The interval between heartbeats may be longer than a slot.
  expect(isBeating({ slots: ["missed", "beat", "pending", "pending", "pending"] })).toBe(true);
  expect(isBeating({ slots: ["beat", "missed", "pending", "pending", "pending"] })).toBe(false);
});

test.each([
  [900, "15 minutes"],
  [3600, "1 hour"],
  [11_700, "3 hours 15 minutes"],
  [86_400, "1 day"],
  [90_900, "1 day 1 hour"],
  [604_800, "7 days"],
])("describes %i seconds as %s", (seconds, words) => {
  expect(describeLength(seconds)).toBe(words);
});
