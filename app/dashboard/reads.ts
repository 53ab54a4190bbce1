import { CONTENT_PAGE, type DashboardView } from "../points/log-view.ts";
import { contentPointsQuery } from "../agent-insights/reads.ts";
import type { Read } from "../cache/read.ts";
import type { PageReads } from "../page/page-reads.ts";
import { devicesQuery } from "../start-node/reads.ts";
import { pointsHistoryQuery, pointsLogDetailQuery, pointsLogQuery, statsQuery } from "../points/reads.ts";

/** What explains the row of the log that is open. */
export const openEntryReads = (read: Read, { entry }: DashboardView) =>
  entry ? [pointsLogDetailQuery(read, { id: entry })] : [];

/** What the first steps need beside user and stats: whether a member without a heartbeat has made a key. */
export async function readFirstSteps({ get, read }: PageReads) {
  const stats = await get(statsQuery(read)).catch(() => null);
  if (stats?.heartbeats !== 0) return [];
  const machines = devicesQuery(read);
  await get(machines).catch(() => null);
  return [machines];
}

/** What the dashboard reads beside what the shell around it does: user and stats. */
export const dashboardReads = (read: Read, { range, log }: DashboardView) => [
  pointsHistoryQuery(read, { range }),
  pointsLogQuery(read, log),
  contentPointsQuery(read, CONTENT_PAGE),
];
