import {
  readPointsHistory,
  readPointsLog,
  readPointsLogDetail,
  readPointsRules,
} from "../../../server/points/contract.ts";
import { sample } from "./sample.ts";

/** A backend's answers about points, one for each call. */
export const POINTS_SAMPLES = [
  sample(readPointsHistory, {
    success: true,
    range: "last7days",
    totalEntries: 1,
    pointsTotal: 25,
    history: { average: 3.57, data: [{ date: "2026-11-20", connectivity: 25, referral: 0, rewards: 0, total: 25 }] },
  }),
  sample(readPointsLog, {
    data: [
      {
        id: "0192-entry",
        category: "Connectivity",
        points: 25,
        comment: "Heartbeat",
        timestamp: "2026-11-20T14:15:00.000Z",
      },
    ],
    total: 21,
    pointsTotal: 525,
  }),
  sample(readPointsLogDetail, {
    id: "0192-entry",
    category: "Connectivity",
    points: 25,
    comment: "Heartbeat",
    timestamp: "2026-11-20T14:15:00.000Z",
    postedAt: "2026-11-20T14:15:01.000Z",
    source: {
      kind: "heartbeat",
      id: "2026-11-20T14:15:00.000Z",
      title: "Heartbeat from your node",
      name: "Raspberry Pi",
      occurredAt: "2026-11-20T14:15:00.000Z",
    },
    rule: { name: "points-per-heartbeat", version: 1, text: "Each heartbeat earns 25 points.", points: 25 },
    runningTotal: 48213.5,
    categoryTotal: 48213.5,
  }),
  sample(readPointsRules, {
    pointsPerHeartbeat: 25,
    heartbeatIntervalSeconds: 900,
    lateHeartbeatSeconds: 604_800,
    heartbeatsRequired: 100,
    heartbeatReward: 500,
    referralPoints: 1000,
    contentPoints: { profile: 5, post: 2, comment: 0.5 },
    contentPointsPerDay: 5000,
  }),
];
