import { data } from "react-router";
import * as z from "zod";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { apiContext } from "../page/context.ts";
import { readForPage } from "../page/page-reads.ts";
import { forwardRetryAfter, readForm } from "../forms/receive.ts";
import { loadForMember } from "../page/member-page.ts";
import { CLAIM_INTENT } from "../claims/claim-form.tsx";
import { claimInBrowser } from "../claims/claim-in-browser.ts";
import { claimPoints } from "../claims/claim-points.ts";
import { pageMeta } from "../page/page-meta.ts";
import { PageProblem } from "../page/page-problem.tsx";
import { loadUnlessFresh } from "../page/load-unless-fresh.ts";
import type { Route } from "./+types/rewards.route";
import { setCampaignMail } from "./campaign-mail.ts";
import { CAMPAIGN_MAIL_INTENTS } from "./campaign-mail-note.tsx";
import { RewardsPage } from "./rewards-page.tsx";
import { rewardsPage } from "./page.ts";

export const meta = pageMeta(rewardsPage);

export async function loader({ context, url }: Route.LoaderArgs) {
  return loadForMember({ context, url }, async () => ({ reads: await readForPage(context, url, rewardsPage) }));
}

/** Claims a reward, or turns campaign emails off or on. The form's `intent` says which. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  switch (form.get("intent")) {
    case CLAIM_INTENT: {
      const send = (id: string) => context.get(apiContext).rewards.claim(id);
      return claimPoints({ context, url }, { form, id: z.string().min(1).max(64), send, href: REWARDS, eventFor });
    }
    case CAMPAIGN_MAIL_INTENTS.off:
      return setCampaignMail({ context, url }, form, false);
    case CAMPAIGN_MAIL_INTENTS.on:
      return setCampaignMail({ context, url }, form, true);
    default:
      throw data(null, { status: 400 });
  }
}

const REWARDS = "/rewards";

const eventFor = (id: string) => ({ event: "reward_claimed", reward_id: id }) as const;

export const clientLoader = (args: Route.ClientLoaderArgs) => loadUnlessFresh(args, rewardsPage.reads, () => ({}));

export const clientAction = (args: Route.ClientActionArgs) => claimInBrowser(args, ["rewards", "points", "totals"]);

export const headers = forwardRetryAfter;

export default function RewardsRoute({ loaderData: { reads }, actionData }: Route.ComponentProps) {
  return (
    <HydrateReads carried={reads}>
      <RewardsPage refusal={actionData?.refusal ?? null} />
    </HydrateReads>
  );
}

export const ErrorBoundary = PageProblem;
