import type { PointsCategory, PointsRange } from "../../server/points/contract.ts";
import { CACHE_TIMES } from "../cache/cache-times.ts";
import { defineRead } from "../cache/read.ts";
import { fillStats } from "./default-stats.ts";

/** Dates are calendar days (UTC), such as 2026-11-20. */
export type PointsLogFilter = { category?: PointsCategory; startDate?: string; endDate?: string };
export type PointsLogQuery = { page: number; limit: number } & PointsLogFilter;

export const statsQuery = defineRead("stats", {
  source: (api) => api.users.stats(),
  select: fillStats,
  staleAfter: ["totals"],
  ...CACHE_TIMES.stats,
});

/** Null if the backend does not provide them. */
export const rulesQuery = defineRead("rules", { source: (api) => api.points.rules() });

export const pointsHistoryQuery = defineRead("points-history", {
  params: ["range"],
  source: (api, { range }: { range: PointsRange }) => api.points.history(range),
  staleAfter: ["points"],
  ...CACHE_TIMES.pointsHistory,
});

export const pointsLogQuery = defineRead("points-log", {
  params: ["page", "limit", "category", "startDate", "endDate"],
  source: (api, query: PointsLogQuery) => api.points.log(query),
  staleAfter: ["points"],
  ...CACHE_TIMES.pointsLog,
});

export const pointsLogDetailQuery = defineRead("points-log-detail", {
  params: ["id"],
  source: (api, { id }: { id: string }) => api.points.detail(id),
  // The row itself never changes, but the total after it does when earlier heartbeats come in late.
  staleAfter: ["points"],
  ...CACHE_TIMES.pointsLog,
});
