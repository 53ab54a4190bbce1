import { dailyJobsQuery, dataStatsQuery, networkJobsQuery, refusedBeatsQuery, uptimeQuery } from "../api/queries.ts";
import type { Read } from "../api/reads.ts";
import type { InsightsView } from "./insights-view.ts";

/** What the card of the node shows. */
export const DAY = { range: "last24hours" } as const;
export const WEEK = { range: "last7days" } as const;
export const REFUSED = { limit: 25 };

/** What the page shows beyond what its shell has read. */
export const insightsReads = (read: Read, { days }: InsightsView) => [
  uptimeQuery(read, DAY),
  uptimeQuery(read, WEEK),
  refusedBeatsQuery(read, REFUSED),
  dataStatsQuery(read),
  dailyJobsQuery(read, { days }),
  networkJobsQuery(read, { days }),
];
