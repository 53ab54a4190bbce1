import { redirect } from "react-router";

/** The product begins at sign-in, which knows where to send a member. */
export const loader = () => redirect("/auth");
