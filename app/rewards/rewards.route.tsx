import { data, redirect, type RouterContextProvider } from "react-router";
import { toApiError } from "../api/api-error.ts";
import { apiContext, logContext } from "../api/context.ts";
import { getPageReads, isRefusedToken } from "../api/page-reads.ts";
import { userQuery } from "../api/queries.ts";
import { announce } from "../auth/auth-event.ts";
import { readForm } from "../auth/checked-form.ts";
import { guardFreshMember } from "../auth/fresh-member.ts";
import { actForMember, loadForMember } from "../auth/member-page.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { PlainPage } from "../shell/plain-page.tsx";
import { ButtonLink } from "../ui/button.tsx";
import type { Route } from "./+types/rewards.route";
import { CampaignMailNote, type CampaignMailOutcome } from "./campaign-mail-note.tsx";

/** With `unsubscribe` in the address, which is the link of a campaign mail, campaign mail is turned off first. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const outcome = await loadForMember({ context, url }, async () => {
    if (url.searchParams.has("unsubscribe")) return setCampaignMail(context, false);
    const reads = getPageReads(context);
    await reads.get(userQuery(reads.read));
    return findOutcome(url);
  });
  // Led on at once: another look at the page, or a way back to it, turns nothing off again.
  if (url.searchParams.has("unsubscribe")) {
    throw redirect(`/rewards?mail=${outcome}`, { headers: { "Set-Cookie": announce("USER_UPDATED") } });
  }
  return { outcome };
}

/** Turns campaign mail on again. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  if (form.get("intent") !== "campaign-mail") throw data(null, { status: 400 });
  const outcome = await actForMember({ context, url }, { form, keep: [] }, () => setCampaignMail(context, true));
  return redirect(`/rewards?mail=${outcome}`, { status: 303, headers: { "Set-Cookie": announce("USER_UPDATED") } });
}

async function setCampaignMail(
  context: Readonly<RouterContextProvider>,
  subscribed: boolean,
): Promise<CampaignMailOutcome> {
  try {
    await context.get(apiContext).campaignMail.subscribe(subscribed);
    return subscribed ? "on" : "off";
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    context.get(logContext).error({ err: toApiError(error) }, "Campaign mail could not be changed");
    return "failed";
  }
}

const OUTCOMES: CampaignMailOutcome[] = ["off", "on", "failed"];

const findOutcome = ({ searchParams }: URL): CampaignMailOutcome | null =>
  OUTCOMES.find((outcome) => outcome === searchParams.get("mail")) ?? null;

export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const url = new URL(request.url);
  if (url.searchParams.has("unsubscribe")) return serverLoader();
  await guardFreshMember({ serverLoader: () => serverLoader().then(() => null) });
  return { outcome: findOutcome(url) };
}

export default function RewardsRoute({ loaderData: { outcome } }: Route.ComponentProps) {
  return (
    <>
      {outcome && <CampaignMailNote key={outcome} outcome={outcome} />}
      <PlainPage
        title="No rewards to claim here yet"
        text="This page will list the campaigns you can take part in and what each is worth. Points from rewards already count on the dashboard."
      >
        <ButtonLink to="/dashboard" variant="ink">
          Go to the dashboard
        </ButtonLink>
      </PlainPage>
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageProblem error={error} />;
}
