import { CarryReads } from "../cache/carried-reads.tsx";
import { carryReads, getPageReads, settleReads } from "../page/page-reads.ts";
import { areFreshSoon, getBrowserQueryClient } from "../cache/query-client.ts";
import { loadForMember } from "../page/member-page.ts";
import { pageMeta } from "../page/page-meta.ts";
import { PageProblem } from "../page/page-problem.tsx";
import { readClock } from "../ui/time.tsx";
import type { Route } from "./+types/agent-insights.route";
import { InsightsPage } from "./insights-page.tsx";
import { insightsPage } from "./page.ts";
import { readInsightsView } from "./insights-view.ts";
import { userQuery } from "../member/reads.ts";

export const meta = pageMeta(insightsPage);

export async function loader({ context, url }: Route.LoaderArgs) {
  return loadForMember({ context, url }, async () => {
    const page = getPageReads(context);
    const view = readInsightsView(url.searchParams);
    const list = insightsPage.reads(page.read, url.searchParams);
    await settleReads(page, [userQuery(page.read), ...list]);
    return { view, reads: await carryReads(page, list), now: readClock() };
  });
}

/** A page that is still fresh is shown without a request. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url);
  const isFresh = await areFreshSoon(getBrowserQueryClient(), (read) => [
    userQuery(read),
    ...insightsPage.reads(read, searchParams),
  ]);
  return isFresh ? { view: readInsightsView(searchParams), reads: null, now: readClock() } : serverLoader();
}

export default function AgentInsightsRoute({ loaderData: { reads, ...page } }: Route.ComponentProps) {
  return (
    <CarryReads carried={reads}>
      <InsightsPage {...page} />
    </CarryReads>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageProblem error={error} />;
}
