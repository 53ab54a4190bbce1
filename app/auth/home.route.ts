import { redirect } from "react-router";

/** Redirects to sign-in, which knows where to send a member. */
export const loader = () => redirect("/auth");
