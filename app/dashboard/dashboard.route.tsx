import { ApiError } from "../api/api-error.ts";
import { forwardRetryAfter } from "../forms/receive.ts";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { originContext } from "../page/context.ts";
import { dehydrateReads, getPageReads, settleReads, type PageReads } from "../page/page-reads.ts";
import { loadForMember } from "../page/member-page.ts";
import { ensureOnboarded } from "../onboarding/ensure-onboarded.ts";
import { loadEntryPanel } from "../points/load-entry-panel.ts";
import { readFirstStepsHidden } from "../page/preferences.ts";
import { pageMeta } from "../page/page-meta.ts";
import { PageProblem } from "../page/page-problem.tsx";
import { loadUnlessFresh } from "../page/load-unless-fresh.ts";
import { formatNumber } from "../ui/number/number.ts";
import { derivePagination } from "../ui/table/pagination.ts";
import { readClock } from "../ui/time.tsx";
import type { Route } from "./+types/dashboard.route";
import { DashboardPage } from "./dashboard-page.tsx";
import { dashboardPage } from "./page.ts";
import { dashboardReads, openEntryReads } from "./reads.ts";
import { readDashboardView, type DashboardView } from "../points/log-view.ts";
import { userQuery } from "../member/reads.ts";
import { pointsLogQuery, statsQuery } from "../points/reads.ts";

export const meta = pageMeta(dashboardPage);

/** Reads everything the page shows in parallel, and onboards a member who needs it in the meantime. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  return loadForMember({ context, url }, async (session) => {
    const page = getPageReads(context);
    const asked = readDashboardView(url.searchParams);
    const opened = findOpenEntry(page, asked.view);
    const list = dashboardPage.reads(page.read, url.searchParams);
    const [onboarding, reading] = await Promise.allSettled([
      ensureOnboarded(context, session),
      settleReads(page, [userQuery(page.read), statsQuery(page.read), ...list]),
    ]);
    // A member who cannot be onboarded is signed out, even if everything was read.
    if (onboarding.status === "rejected") throw onboarding.reason;
    if (reading.status === "rejected") throw reading.reason;
    const { view, notices } = await findExistingPage(page, (await opened).view);
    return {
      view,
      notices: [...asked.notices, ...(await opened).notices, ...notices],
      dateErrors: asked.dateErrors,
      // The shell carries user and stats.
      reads: await dehydrateReads(page, [...dashboardReads(page.read, view), ...openEntryReads(page.read, view)]),
      hiddenFirstSteps: readFirstStepsHidden(request.headers.get("Cookie") ?? ""),
      origin: context.get(originContext),
      now: readClock(),
    };
  });
}

/** Replaces a page beyond the end of the log with its last page. */
async function findExistingPage({ get, read }: PageReads, view: DashboardView) {
  const total = await get(pointsLogQuery(read, view.log)).then(
    (log: { total: number } | null) => (log && Number.isFinite(log.total) ? log.total : Infinity),
    () => Infinity,
  );
  const last = Math.max(1, derivePagination(view.log.page, view.log.limit, total).totalPages);
  if (view.log.page <= last) return { view, notices: [] };
  const notice = `The points log ends at page ${formatNumber(last)}. Showing that page.`;
  return { view: { ...view, log: { ...view.log, page: last } }, notices: [notice] };
}

/** Closes an entry that is not the member's. An entry that could not be read says so in its place. */
async function findOpenEntry({ get, read }: PageReads, view: DashboardView) {
  const [open] = openEntryReads(read, view);
  if (!open) return { view, notices: [] };
  await loadEntryPanel();
  const isMissing = await get(open).then(
    () => false,
    (error: unknown) => error instanceof ApiError && [400, 404].includes(error.status),
  );
  if (!isMissing) return { view, notices: [] };
  return { view: { ...view, entry: undefined }, notices: ["There is no such entry in your points log."] };
}

/** A row that is opened on the page is read separately. */
export const clientLoader = (args: Route.ClientLoaderArgs) =>
  loadUnlessFresh(args, dashboardPage.reads, (params) => ({
    ...readDashboardView(params),
    hiddenFirstSteps: readFirstStepsHidden(document.cookie),
    origin: location.origin,
    now: readClock(),
  }));

export default function DashboardRoute({ loaderData: { reads, ...page } }: Route.ComponentProps) {
  return (
    <HydrateReads carried={reads}>
      <DashboardPage {...page} />
    </HydrateReads>
  );
}

export const headers = forwardRetryAfter;

export const ErrorBoundary = PageProblem;
