import { redirect } from "react-router";
import * as z from "zod";
import { RequestDeletionInput } from "../../../server/account-data/contract.ts";
import { apiContext } from "../../page/context.ts";
import { getPageReads } from "../../page/page-reads.ts";
import { asText } from "../../cache/as-text.ts";
import { changeReads } from "../../cache/query-client.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";
import { leaveOutcome } from "../../outcome/outcome.ts";
import { forwardRetryAfter, readForm } from "../../forms/receive.ts";
import { loadForMember } from "../../page/member-page.ts";
import { pageMeta } from "../../page/page-meta.ts";
import type { Route } from "./+types/delete-account.route";
import { DeleteAccountPage } from "./delete-account-page.tsx";
import { receiveForm } from "../profile-form.ts";
import { DELETE_ACCOUNT } from "../profile-view.ts";
import { ProfileOutcomeContext } from "../section.tsx";
import { deleteAccountPage } from "./page.ts";

export const meta = pageMeta(deleteAccountPage);

export async function loader({ context, url }: Route.LoaderArgs) {
  return loadForMember({ context, url }, async () => {
    const { get, read } = getPageReads(context);
    const [user] = deleteAccountPage.reads(read);
    const known = await get(user);
    return { email: asText(known?.email) ?? "", dueAt: asText(known?.deletion_due_at) };
  });
}

/** A ticked box sends `on`, an unticked one sends nothing. */
const DeletionForm = RequestDeletionInput.extend({
  understood: z.literal("on", "Tick the box to continue.").transform(() => true as const),
});

/** Requests the deletion. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  return receiveForm({ context, url }, { form, intent: "delete", schema: DeletionForm }, async (input) => {
    await context.get(apiContext).account.requestDeletion(input);
    leaveOutcome(context, AUTH_EVENT, "USER_UPDATED");
    // Leads to the card that replaces the form and confirms the request.
    return redirect(`${DELETE_ACCOUNT}#requested`, { status: 303 });
  });
}

/** Marks everything that it may have changed as stale. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) => changeReads(["account"], serverAction);

export const headers = forwardRetryAfter;

/** Has no error boundary: the code it shares with other pages would become one more file for each of them to load. */
export default function DeleteAccountRoute({ loaderData, actionData }: Route.ComponentProps) {
  const outcome = { done: null, refusal: actionData ?? null };
  return (
    <ProfileOutcomeContext value={outcome}>
      <DeleteAccountPage {...loaderData} />
    </ProfileOutcomeContext>
  );
}
