import { CACHE_TIMES } from "../cache/cache-times.ts";
import { defineRead, type Read } from "../cache/read.ts";
import { statsQuery } from "../points/reads.ts";

export const submissionsQuery = defineRead("submissions", {
  source: (api) => api.rewards.submissions(),
  staleAfter: ["rewards"],
  ...CACHE_TIMES.submissions,
});

export const heartbeatStatusQuery = defineRead("heartbeat-status", {
  source: (api) => api.rewards.heartbeatStatus(),
  staleAfter: ["heartbeats", "rewards"],
});

/** Reads what the page shows. The stats are its further item (product specification, section 2). */
export const rewardsReads = (read: Read) => [submissionsQuery(read), heartbeatStatusQuery(read), statsQuery(read)];
