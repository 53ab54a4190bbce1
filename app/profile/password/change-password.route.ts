import { redirect } from "react-router";
import { sessionContext } from "../../page/context.ts";
import { signInPath } from "../../page/member-page.ts";
import { PROFILE } from "../profile-view.ts";
import type { Route } from "./+types/change-password.route";

const FORM = `${PROFILE}#password`;

/**
 * Where password managers send people to change their password (https://w3c.github.io/webappsec-change-password-url/).
 * Who has to sign in first is led there afterwards: on the way through a form, browsers drop the place within the page.
 */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  redirect(context.get(sessionContext).session ? FORM : signInPath(new URL(FORM, url)));
