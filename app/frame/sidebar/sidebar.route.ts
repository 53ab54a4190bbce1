import { redirect } from "react-router";
import type { Route } from "./+types/sidebar.route";
import { sidebarCookie } from "../../page/preferences.ts";
import { returnPath } from "../../page/return-path.ts";

/** Expands or collapses the sidebar without a script. */
export async function action({ request, url }: Route.ActionArgs) {
  const form = await request.formData();
  return redirect(returnPath(form.get("returnTo"), url), {
    status: 303,
    headers: { "Set-Cookie": sidebarCookie(form.get("open") === "true") },
  });
}

export const loader = () => redirect("/");
