import { redirect } from "react-router";
import { sessionContext } from "../page/context.ts";
import { readForm } from "../forms/receive.ts";
import { HOME } from "../page/member-page.ts";
import { returnPath } from "../page/return-path.ts";
import type { Route } from "./+types/skip-privacy.route";
import { skippedCookie } from "./legal-flags.ts";

/** Postpones the Privacy Policy until the browser closes, without a script. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  const member = context.get(sessionContext).session?.userId;
  return redirect(returnPath(form.get("returnTo"), url, HOME), {
    status: 303,
    headers: member ? { "Set-Cookie": skippedCookie(member, true) } : {},
  });
}

export const loader = () => redirect("/");
