import { redirect } from "react-router";
import { PROFILE } from "../profile-view.ts";

/** Where a password manager sends who wants to change a password (https://w3c.github.io/webappsec-change-password-url/). */
export const loader = () => redirect(`${PROFILE}#password`);
