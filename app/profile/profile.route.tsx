import { data } from "react-router";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { redirectToLastPage, readForPage } from "../page/page-reads.ts";
import { changeReads } from "../cache/query-client.ts";
import type { Read } from "../cache/read.ts";
import { consumeDraft } from "../page/draft.ts";
import { forwardRetryAfter } from "../forms/receive.ts";
import { loadForMember } from "../page/member-page.ts";
import { pageMeta } from "../page/page-meta.ts";
import { PageProblem } from "../page/page-problem.tsx";
import { loadUnlessFresh } from "../page/load-unless-fresh.ts";
import { readClock } from "../ui/time.tsx";
import type { Route } from "./+types/profile.route";
import { actOnProfile } from "./profile-actions.ts";
import { ProfilePage } from "./profile-page.tsx";
import { profilePage } from "./page.ts";
import { activityHref, activityQuery, readProfileView } from "./profile-view.ts";
import { securityActivityQuery } from "./reads.ts";

export const meta = pageMeta(profilePage);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  return loadForMember({ context, url }, async (session) => {
    const view = readProfileView(url.searchParams);
    const reads = await readForPage(context, url, profilePage);
    const activity = (read: Read) => securityActivityQuery(read, activityQuery(view));
    await redirectToLastPage(context, activity, view.activityPage, activityHref);
    const draft = await consumeDraft({ context, request, url }, session.userId);
    return data({ view, reads, now: readClock(), draft: draft.fields }, { headers: draft.headers });
  });
}

export const action = ({ request, context, url }: Route.ActionArgs) => actOnProfile({ request, context, url });

export const clientLoader = (args: Route.ClientLoaderArgs) =>
  loadUnlessFresh(args, profilePage.reads, (params) => ({
    view: readProfileView(params),
    now: readClock(),
    draft: null,
  }));

/** Marks everything that a form may have changed as stale. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) => changeReads(["account"], serverAction);

export const headers = forwardRetryAfter;

export default function ProfileRoute({ loaderData: { reads, ...page }, actionData }: Route.ComponentProps) {
  return (
    <HydrateReads carried={reads}>
      <ProfilePage {...page} {...readOutcome(actionData)} />
    </HydrateReads>
  );
}

/** Returns the result of an action that shows no other page: a new key, or why it was refused. */
function readOutcome(outcome: Route.ComponentProps["actionData"]) {
  if (!outcome) return { made: null, refusal: null };
  return "made" in outcome ? { ...outcome, refusal: null } : { made: null, refusal: outcome };
}

export const ErrorBoundary = PageProblem;
