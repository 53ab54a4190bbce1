import { redirect } from "react-router";
import { apiContext } from "../../page/context.ts";
import { logFailure } from "../../page/log-failure.ts";
import { isRefusedToken } from "../../page/page-reads.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";
import { say } from "../../outcome/outcome.ts";
import { TOAST } from "../../outcome/toast-words.ts";
import { readForm } from "../../forms/checked-form.ts";
import { actForMember } from "../../page/member-page.ts";
import { returnPath } from "../../page/return-path.ts";
import type { Route } from "./+types/keep-account.route";
import { PROFILE } from "../profile-view.ts";

/** Keeps an account that was to be deleted, and leads back to the page that the form was on. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  const returnTo = returnPath(form.get("returnTo"), url, PROFILE);
  // Whoever has to sign in first comes back to the page, too.
  return actForMember({ context, url: new URL(returnTo, url) }, { form, keep: [] }, async () => {
    await keep(context);
    return redirect(returnTo, { status: 303 });
  });
}

async function keep(context: Route.ActionArgs["context"]): Promise<void> {
  try {
    await context.get(apiContext).account.keep();
    say(context, AUTH_EVENT, "USER_UPDATED");
    say(context, TOAST, "account-kept");
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    logFailure(context, error, "An account could not be kept");
    say(context, TOAST, "account-not-kept");
  }
}

export const loader = () => redirect(PROFILE);
