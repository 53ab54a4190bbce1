import { heartbeatStatusQuery, statsQuery, submissionsQuery } from "../api/queries.ts";
import type { Read, ReadName } from "../api/reads.ts";

/** What the page shows; the stats are its further item (product specification, section 2). */
export const rewardsReads = (read: Read) => [submissionsQuery(read), heartbeatStatusQuery(read), statsQuery(read)];

/** What a claim changes (product specification, section 4). */
export const CHANGED: ReadName[] = ["heartbeat-status", "stats", "submissions", "points-log", "points-history"];
