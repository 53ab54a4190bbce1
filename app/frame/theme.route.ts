import { redirect } from "react-router";
import type { Route } from "./+types/theme.route";
import { themeCookie } from "../page/preferences.ts";
import { returnPath } from "../page/return-path.ts";

/** Changes the theme without a script. */
export async function action({ request, url }: Route.ActionArgs) {
  const form = await request.formData();
  const theme = form.get("theme") === "dark" ? "dark" : "light";
  return redirect(returnPath(form.get("returnTo"), url), {
    status: 303,
    headers: { "Set-Cookie": themeCookie(theme) },
  });
}

/** Someone who follows the form's address by hand finds the product. */
export const loader = () => redirect("/");
