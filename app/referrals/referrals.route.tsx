import * as z from "zod";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { apiContext, originContext } from "../page/context.ts";
import { redirectToLastPage, readForPage } from "../page/page-reads.ts";
import { forwardRetryAfter, readForm } from "../forms/receive.ts";
import { loadForMember } from "../page/member-page.ts";
import { claimInBrowser } from "../claims/claim-in-browser.ts";
import { CLAIM_ALL_INTENT } from "../claims/claim-form.tsx";
import { claimPoints } from "../claims/claim-points.ts";
import { pageMeta } from "../page/page-meta.ts";
import { PageProblem } from "../page/page-problem.tsx";
import { loadUnlessFresh } from "../page/load-unless-fresh.ts";
import type { Route } from "./+types/referrals.route";
import { claimFriends } from "./claim-friends.ts";
import { ReferralsPage } from "./referrals-page.tsx";
import { referralsPage } from "./page.ts";
import { readReferralsView, referralsHref } from "./referrals-view.ts";
import { referralsQuery, shownReads } from "./reads.ts";

export const meta = pageMeta(referralsPage);

export async function loader({ context, url }: Route.LoaderArgs) {
  return loadForMember({ context, url }, async () => {
    const view = readReferralsView(url.searchParams);
    const reads = await readForPage(context, url, referralsPage);
    const hrefFor = (page: number) => referralsHref({ ...view, page });
    await redirectToLastPage(context, (read) => referralsQuery(read, view), view.page, hrefFor);
    return { view, reads, origin: context.get(originContext) };
  });
}

/** Claims the points for one friend or for all of them. The form's `intent` says which. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  const href = referralsHref(readReferralsView(url.searchParams));
  if (form.get("intent") === CLAIM_ALL_INTENT) return claimFriends({ context, url }, { form, href });
  return claimPoints(
    { context, url },
    {
      form,
      id: z.string().min(1).max(64),
      send: (id) => context.get(apiContext).referrals.claim(id),
      href,
      eventFor: () => ({ event: "referral_claimed" }),
    },
  );
}

export const clientLoader = (args: Route.ClientLoaderArgs) =>
  loadUnlessFresh(
    args,
    (read, params) => shownReads(read, readReferralsView(params)),
    (params) => ({ view: readReferralsView(params), origin: location.origin }),
  );

export const clientAction = (args: Route.ClientActionArgs) => claimInBrowser(args, ["referrals", "points", "totals"]);

export const headers = forwardRetryAfter;

export default function ReferralsRoute({ loaderData: { reads, ...page }, actionData }: Route.ComponentProps) {
  return (
    <HydrateReads carried={reads}>
      <ReferralsPage {...page} refusal={actionData?.refusal ?? null} />
    </HydrateReads>
  );
}

export const ErrorBoundary = PageProblem;
