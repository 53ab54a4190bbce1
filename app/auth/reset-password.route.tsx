import { redirect } from "react-router";

/** Only a recovery session opens this page, and nothing begins one yet: everyone is led to sign-in. */
export const loader = () => redirect("/auth");
