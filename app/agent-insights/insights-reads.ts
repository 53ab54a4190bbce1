import { dailyJobsQuery, dataStatsQuery, networkJobsQuery } from "../api/queries.ts";
import type { Read } from "../api/reads.ts";
import type { InsightsView } from "./insights-view.ts";

/** What the page shows beyond what its shell has read. */
export const insightsReads = (read: Read, { days }: InsightsView) => [
  dataStatsQuery(read),
  dailyJobsQuery(read, { days }),
  networkJobsQuery(read, { days }),
];
