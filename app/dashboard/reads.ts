import { CONTENT_PAGE, type DashboardView } from "../points/log-view.ts";
import { contentPointsQuery } from "../agent-insights/reads.ts";
import type { Read } from "../cache/read.ts";
import { pointsHistoryQuery, pointsLogDetailQuery, pointsLogQuery } from "../points/reads.ts";

/** What explains the row of the log that is open. */
export const openEntryReads = (read: Read, { entry }: DashboardView) =>
  entry ? [pointsLogDetailQuery(read, { id: entry })] : [];

/** What the dashboard reads beside what the shell around it does: user and stats. */
export const dashboardReads = (read: Read, { range, log }: DashboardView) => [
  pointsHistoryQuery(read, { range }),
  pointsLogQuery(read, log),
  contentPointsQuery(read, CONTENT_PAGE),
];
