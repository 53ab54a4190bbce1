import { data } from "react-router";
import { asText } from "../../cache/as-text.ts";
import { changeReads } from "../../cache/query-client.ts";
import { forwardRetryAfter } from "../../forms/receive.ts";
import { useNote } from "../../outcome/notes.tsx";
import { apiContext } from "../../page/context.ts";
import { consumeDraft } from "../../page/draft.ts";
import { loadForMember } from "../../page/member-page.ts";
import { pageMeta } from "../../page/page-meta.ts";
import { getPageReads } from "../../page/page-reads.ts";
import { PROFILE_NOTE } from "../profile-outcome.ts";
import { ProfileOutcomeContext } from "../section.tsx";
import type { Route } from "./+types/change-email.route";
import { actOnEmail } from "./change-email-actions.ts";
import { ChangeEmailPage } from "./change-email-page.tsx";
import { changeEmailPage } from "./page.ts";

export const meta = pageMeta(changeEmailPage);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  return loadForMember({ context, url }, async (session) => {
    const { get, read } = getPageReads(context);
    const [user] = changeEmailPage.reads(read);
    // Only this page shows it, and it soon changes, so the browser keeps no copy.
    const [known, change] = await Promise.all([get(user), context.get(apiContext).emailChange.read()]);
    const draft = await consumeDraft({ context, request, url }, session.userId);
    const page = { email: asText(known?.email) ?? "", change, draft: draft.fields?.["email"] };
    return data(page, { headers: draft.headers });
  });
}

export const action = ({ request, context, url }: Route.ActionArgs) => actOnEmail({ request, context, url });

/** Marks everything that it may have changed as stale. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) => changeReads(["account"], serverAction);

export const headers = forwardRetryAfter;

/** Has no error boundary, for the same reason as the page that deletes the account. */
export default function ChangeEmailRoute({ loaderData, actionData }: Route.ComponentProps) {
  const note = useNote(PROFILE_NOTE);
  const refusal = actionData ?? null;
  // An earlier success says nothing about what was just refused.
  const outcome = { done: refusal ? null : (note?.word ?? null), refusal };
  return (
    <ProfileOutcomeContext value={outcome}>
      <ChangeEmailPage {...loaderData} />
    </ProfileOutcomeContext>
  );
}
