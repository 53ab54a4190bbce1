import { data, redirect, type LoaderFunctionArgs } from "react-router";
import { readForm } from "../forms/receive.ts";
import { firstStepsCookie, mobileContinuedCookie, sidebarCookie, themeCookie } from "../page/preferences.ts";
import { returnPath } from "../page/return-path.ts";
import type { Route } from "./+types/preference.route";

/** The cookie that each preference's form sets, by its address. With a script, the browser sets the cookie itself. */
const COOKIES = new Map<string, (form: FormData) => string>([
  ["/shell/theme", (form) => themeCookie(form.get("theme") === "dark" ? "dark" : "light")],
  ["/shell/sidebar", (form) => sidebarCookie(form.get("open") === "true")],
  // Hides the dashboard's list of first steps.
  ["/shell/first-steps", (form) => firstStepsCookie(readMember(form.get("member")))],
  // Hides the card of small screens for the session.
  ["/shell/continue", mobileContinuedCookie],
]);

/** Returns the given id, or an empty string if it cannot be one: it goes into a cookie. */
const readMember = (given: FormDataEntryValue | null) =>
  typeof given === "string" && /^[\w.:@-]{1,64}$/.test(given) ? given : "";

/** Sets a preference without a script. */
export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(request);
  const cookie = COOKIES.get(url.pathname)?.(form);
  if (!cookie) throw data(null, { status: 404 });
  return redirect(returnPath(form.get("returnTo"), url), { status: 303, headers: { "Set-Cookie": cookie } });
}

/** Leads a visitor who opens the form's address to the product. */
export function loader({ url }: LoaderFunctionArgs) {
  if (!COOKIES.has(url.pathname)) throw data(null, { status: 404 });
  return redirect("/");
}
