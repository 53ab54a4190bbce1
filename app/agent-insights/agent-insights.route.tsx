import { CarryReads } from "../cache/carried-reads.tsx";
import { readForPage } from "../page/page-reads.ts";
import { loadForMember } from "../page/member-page.ts";
import { pageMeta } from "../page/page-meta.ts";
import { PageProblem } from "../page/page-problem.tsx";
import { showFresh } from "../page/show-fresh.ts";
import { readClock } from "../ui/time.tsx";
import type { Route } from "./+types/agent-insights.route";
import { InsightsPage } from "./insights-page.tsx";
import { insightsPage } from "./page.ts";
import { readInsightsView } from "./insights-view.ts";

export const meta = pageMeta(insightsPage);

export async function loader({ context, url }: Route.LoaderArgs) {
  return loadForMember({ context, url }, async () => {
    const reads = await readForPage(context, url, insightsPage);
    return { view: readInsightsView(url.searchParams), reads, now: readClock() };
  });
}

export const clientLoader = (args: Route.ClientLoaderArgs) =>
  showFresh(args, insightsPage.reads, (params) => ({ view: readInsightsView(params), now: readClock() }));

export default function AgentInsightsRoute({ loaderData: { reads, ...page } }: Route.ComponentProps) {
  return (
    <CarryReads carried={reads}>
      <InsightsPage {...page} />
    </CarryReads>
  );
}

export const ErrorBoundary = PageProblem;
