import { CONTENT_PAGE, type DashboardView } from "../points/log-view.ts";
import { contentPointsQuery } from "../agent-insights/reads.ts";
import type { Read } from "../cache/read.ts";
import { pointsHistoryQuery, pointsLogDetailQuery, pointsLogQuery } from "../points/reads.ts";

/** Reads the explanation of the log's open row. */
export const openEntryReads = (read: Read, { entry }: DashboardView) =>
  entry ? [pointsLogDetailQuery(read, { id: entry })] : [];

/** Reads that the dashboard adds to those of its shell, user and stats. */
export const dashboardReads = (read: Read, { range, log }: DashboardView) => [
  pointsHistoryQuery(read, { range }),
  pointsLogQuery(read, log),
  contentPointsQuery(read, CONTENT_PAGE),
];
