import { data } from "react-router";
import { DeviceInput } from "../../server/heartbeats/contract.ts";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { changeReads } from "../cache/query-client.ts";
import { forwardRetryAfter, readForm, receiveForMember } from "../forms/receive.ts";
import { originContext } from "../page/context.ts";
import type { KeyRefusal } from "../start-node/created-key.ts";
import { createKey } from "../start-node/create-key.ts";
import { readForPage } from "../page/page-reads.ts";
import { loadForMember } from "../page/member-page.ts";
import { pageMeta } from "../page/page-meta.ts";
import { PageProblem } from "../page/page-problem.tsx";
import { loadUnlessFresh } from "../page/load-unless-fresh.ts";
import { readClock } from "../ui/time.tsx";
import type { Route } from "./+types/agent-insights.route";
import { InsightsPage } from "./insights-page.tsx";
import { insightsPage } from "./page.ts";
import { readInsightsView } from "./insights-view.ts";

export const meta = pageMeta(insightsPage);

export async function loader({ context, url }: Route.LoaderArgs) {
  return loadForMember({ context, url }, async () => {
    const reads = await readForPage(context, url, insightsPage);
    return { view: readInsightsView(url.searchParams), reads, now: readClock(), origin: context.get(originContext) };
  });
}

/** Creates the key that a member's first node starts with. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  return receiveForMember(
    { context, url },
    { form, schema: DeviceInput, draftFields: ["name"] },
    (input) => createKey(context, input),
    ({ status, headers, result, retryAt }) =>
      data<{ refusal: KeyRefusal }>({ refusal: { result, ...(retryAt && { retryAt }) } }, { status, headers }),
  );
}

export const headers = forwardRetryAfter;

/** Marks the account as stale, because it has another machine afterwards. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) => changeReads(["account"], serverAction);

export const clientLoader = (args: Route.ClientLoaderArgs) =>
  loadUnlessFresh(args, insightsPage.reads, (params) => ({
    view: readInsightsView(params),
    now: readClock(),
    origin: location.origin,
  }));

export default function AgentInsightsRoute({ loaderData: { reads, ...page }, actionData }: Route.ComponentProps) {
  return (
    <HydrateReads carried={reads}>
      <InsightsPage {...page} {...NOTHING_SENT} {...actionData} />
    </HydrateReads>
  );
}

const NOTHING_SENT = { made: null, refusal: null };

export const ErrorBoundary = PageProblem;
