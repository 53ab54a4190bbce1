import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { sendHeartbeats } from "../heartbeats/contract.ts";
import { readPointsRules, readStats } from "./contract.ts";

const { api, clock } = await openTestApi({
  env: { pointsPerHeartbeat: 31, heartbeatIntervalSeconds: 120, contentPointsPerDay: 77 },
});

test("anyone can read what earns points, and points are posted by the same settings", async () => {
  const rules = await api.read(readPointsRules, {});
  expect(rules).toEqual({
    pointsPerHeartbeat: 31,
    heartbeatIntervalSeconds: 120,
    lateHeartbeatSeconds: 604_800,
    heartbeatsRequired: 100,
    heartbeatReward: 500,
    referralPoints: 1000,
    contentPoints: { profile: 5, post: 2, comment: 0.5 },
    contentPointsPerDay: 77,
  });

  const { token } = await seedMember(api.deps);
  const before = (intervals: number) =>
    new Date(clock.now().getTime() - intervals * rules.heartbeatIntervalSeconds * 1000).toISOString();
  const beats = [0, 1, 2].map((intervals) => ({ timestamp: before(intervals) }));
  await api.call(sendHeartbeats, { token, body: { beats } });
  expect((await api.read(readStats, { token })).points_total).toBe(3 * rules.pointsPerHeartbeat);
});
