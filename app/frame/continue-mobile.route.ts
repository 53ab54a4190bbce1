import { redirect } from "react-router";
import type { Route } from "./+types/continue-mobile.route";
import { mobileContinuedCookie } from "../page/preferences.ts";
import { returnPath } from "../page/return-path.ts";

/** Puts the card of small screens away for the session, without a script. */
export async function action({ request, url }: Route.ActionArgs) {
  const form = await request.formData();
  return redirect(returnPath(form.get("returnTo"), url), {
    status: 303,
    headers: { "Set-Cookie": mobileContinuedCookie() },
  });
}

export const loader = () => redirect("/");
