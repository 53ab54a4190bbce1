import type { UptimeRange } from "../../server/heartbeats/contract.ts";
import { CACHE_TIMES } from "../cache/cache-times.ts";
import { defineRead, type Read } from "../cache/read.ts";
import type { InsightsView } from "./insights-view.ts";

export const dataStatsQuery = defineRead("data-stats", {
  source: (api) => api.users.dataStats(),
  staleAfter: ["content"],
  ...CACHE_TIMES.dataStats,
});

/** How many days to go back, including today. */
type Days = { days: number };

export const dailyJobsQuery = defineRead("daily-jobs", {
  params: ["days"],
  source: (api, { days }: Days) => api.insights.daily(days),
  staleAfter: ["content"],
  ...CACHE_TIMES.dataStats,
});

export const networkJobsQuery = defineRead("network-jobs", {
  params: ["days"],
  source: (api, { days }: Days) => api.insights.network(days),
  staleAfter: ["content"],
  ...CACHE_TIMES.dataStats,
});

export const contentPointsQuery = defineRead("content-points", {
  params: ["page", "limit"],
  source: (api, query: { page: number; limit: number }) => api.points.content(query),
  staleAfter: ["content"],
});

/** How long data stays fresh that a running node changes all the time, in milliseconds. */
const NODE_FRESH = { staleTime: 60_000 };

export const uptimeQuery = defineRead("uptime", {
  params: ["range"],
  source: (api, { range }: { range: UptimeRange }) => api.node.uptime(range),
  staleAfter: ["heartbeats"],
  ...NODE_FRESH,
});

export const refusedBeatsQuery = defineRead("refused-beats", {
  params: ["limit"],
  source: (api, { limit }: { limit: number }) => api.node.refusedBeats(limit),
  staleAfter: ["heartbeats"],
  ...NODE_FRESH,
});

/** What the node's card shows. */
export const DAY = { range: "last24hours" } as const;
export const WEEK = { range: "last7days" } as const;
export const REFUSED = { limit: 25 };

/** Reads that the page shows in addition to those of its shell. */
export const insightsReads = (read: Read, { days }: InsightsView) => [
  uptimeQuery(read, DAY),
  uptimeQuery(read, WEEK),
  refusedBeatsQuery(read, REFUSED),
  dataStatsQuery(read),
  dailyJobsQuery(read, { days }),
  networkJobsQuery(read, { days }),
];
