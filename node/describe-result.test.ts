import { expect, test } from "vitest";
import { describeResult } from "./describe-result.ts";

const RESULT = { accepted: 0, duplicates: 0, refused: [], intervalSeconds: 900, heartbeats: 0, pointsTotal: 0 };
const refused = (message: string) => ({ timestamp: "2026-11-20T12:00:00.000Z", reason: "too_early" as const, message });

test.each([
  [{ accepted: 1, heartbeats: 1, pointsTotal: 25 }, "heartbeat counted · 1 heartbeat, 25 PTS"],
  [{ accepted: 2, heartbeats: 1200, pointsTotal: 30_000.5 }, "2 heartbeats counted · 1.200 heartbeats, 30.000,5 PTS"],
  [{ duplicates: 1, heartbeats: 1, pointsTotal: 25 }, "heartbeat already counted · 1 heartbeat, 25 PTS"],
  [
    { accepted: 1, duplicates: 2, heartbeats: 3, pointsTotal: 75 },
    "heartbeat counted, 2 heartbeats already counted · 3 heartbeats, 75 PTS",
  ],
  [{}, "0 heartbeats counted · 0 heartbeats, 0 PTS"],
])("describes %o in one line", (result, line) => {
  expect(describeResult({ ...RESULT, ...result })).toEqual([line]);
});

test("describes each reason for refusal in one line, with the number of beats", () => {
  const reasons = [refused("Too early."), refused("Too\u009B\r\nlate."), refused("Too early.")];
  expect(describeResult({ ...RESULT, accepted: 1, heartbeats: 1, refused: reasons }).slice(1)).toEqual([
    "2 heartbeats refused: Too early.",
    "heartbeat refused: Too late.",
  ]);
});
