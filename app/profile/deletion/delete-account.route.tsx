import { redirect } from "react-router";
import * as z from "zod";
import { RequestDeletionInput } from "../../../server/account-data/contract.ts";
import { apiContext } from "../../page/context.ts";
import { getPageReads } from "../../page/page-reads.ts";
import { asText } from "../../cache/as-text.ts";
import { changeReads } from "../../cache/query-client.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";
import { say } from "../../outcome/outcome.ts";
import { keepRetryAfter, readForm } from "../../forms/receive.ts";
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

/** A box that is ticked sends `on`, and one that is not sends nothing. */
const DeletionForm = RequestDeletionInput.extend({
  understood: z.literal("on", "Tick the box to continue.").transform(() => true as const),
});

/** Asks for the deletion. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  return receiveForm({ context, url }, { form, intent: "delete", schema: DeletionForm }, async (input) => {
    await context.get(apiContext).account.requestDeletion(input);
    say(context, AUTH_EVENT, "USER_UPDATED");
    // To the card that takes the form's place, and says so.
    return redirect(`${DELETE_ACCOUNT}#requested`, { status: 303 });
  });
}

/** Nothing of what it changes is fresh after it. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) => changeReads(["account"], serverAction);

export const headers = keepRetryAfter;

/** Without an error boundary of its own: what it shares with others would be one more file for each of them to load. */
export default function DeleteAccountRoute({ loaderData, actionData }: Route.ComponentProps) {
  const outcome = { done: null, refusal: actionData ?? null };
  return (
    <ProfileOutcomeContext value={outcome}>
      <DeleteAccountPage {...loaderData} />
    </ProfileOutcomeContext>
  );
}
