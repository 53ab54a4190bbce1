import { redirect } from "react-router";
import { AUTH_EVENT } from "../../api/auth-event.ts";
import { NO_FIELDS, readForm, receiveForMember } from "../../forms/receive.ts";
import { leaveOutcome } from "../../outcome/outcome.ts";
import { TOAST } from "../../outcome/toast-words.ts";
import { apiContext } from "../../page/context.ts";
import { returnPath } from "../../page/return-path.ts";
import type { Route } from "./+types/keep-account.route";
import { PROFILE } from "../profile-view.ts";

/** Keeps an account that was to be deleted, and leads back to the page with the form. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  const returnTo = returnPath(form.get("returnTo"), url, PROFILE);
  const leadBack = (word: "account-kept" | "account-not-kept") => {
    leaveOutcome(context, TOAST, word);
    return redirect(returnTo, { status: 303 });
  };
  return receiveForMember(
    // A member who has to sign in first comes back to that page, too.
    { context, url: new URL(returnTo, url) },
    { form, schema: NO_FIELDS },
    async () => {
      await context.get(apiContext).account.keep();
      leaveOutcome(context, AUTH_EVENT, "USER_UPDATED");
      return leadBack("account-kept");
    },
    () => leadBack("account-not-kept"),
  );
}

export const loader = () => redirect(PROFILE);
