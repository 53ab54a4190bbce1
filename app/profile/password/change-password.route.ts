import { redirect } from "react-router";
import { sessionContext } from "../../page/context.ts";
import { signInPath } from "../../page/member-page.ts";
import { PROFILE } from "../profile-view.ts";
import type { Route } from "./+types/change-password.route";

const FORM = `${PROFILE}#password`;

/**
 * Redirects to the password form. Password managers send people here
 * (https://w3c.github.io/webappsec-change-password-url/). Visitors sign in first. Their way back names the section,
 * because browsers drop the fragment when a form is sent.
 */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  redirect(context.get(sessionContext).session ? FORM : signInPath(new URL(FORM, url)));
