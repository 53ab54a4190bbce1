import { redirect } from "react-router";
import { PROFILE } from "../profile-view.ts";

/** Where password managers send people to change their password (https://w3c.github.io/webappsec-change-password-url/). */
export const loader = () => redirect(`${PROFILE}#password`);
