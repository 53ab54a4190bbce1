import { describePoints, formatPoints, type EarningRule } from "../points/rules.ts";
import { HEARTBEATS_REQUIRED } from "./contract.ts";

/** Earned once per member. */
export const HEARTBEAT_REWARD_POINTS = 500;

/** Each one earns POINTS_PER_HEARTBEAT. */
export const HEARTBEAT_RULE: EarningRule = {
  source: "heartbeat",
  rule: "points-per-heartbeat",
  version: 1,
  category: "Connectivity",
  describe: ({ heartbeatIntervalSeconds, pointsPerHeartbeat }) => ({
    title: "Heartbeat from your node",
    text: `Each heartbeat that counts earns ${describePoints(pointsPerHeartbeat)}. One counts in each interval of ${describeSeconds(heartbeatIntervalSeconds)}, whichever machine sent it.`,
    points: pointsPerHeartbeat,
  }),
};

export const HEARTBEAT_REWARD_RULE: EarningRule = {
  source: "campaign",
  rule: "heartbeat-reward",
  version: 1,
  category: "Rewards",
  describe: () => ({
    title: "Reward for your first heartbeats",
    text: `Send ${formatPoints(HEARTBEATS_REQUIRED)} heartbeats, then claim ${describePoints(HEARTBEAT_REWARD_POINTS)}.`,
    points: HEARTBEAT_REWARD_POINTS,
  }),
};

const UNITS = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
] as const;

/** Formats seconds in the largest unit that needs no fraction: `15 minutes`, `1 hour`, `1.001 seconds`. */
function describeSeconds(seconds: number): string {
  const [length, unit] = UNITS.find(([each]) => seconds % each === 0) ?? [1, "second"];
  const amount = seconds / length;
  return `${formatPoints(amount)} ${unit}${amount === 1 ? "" : "s"}`;
}
