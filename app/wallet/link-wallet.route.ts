import { redirect } from "react-router";
import type { Route } from "./+types/link-wallet.route";
import { submitSignature } from "./submit-signature.ts";

export const action = ({ request, context, url }: Route.ActionArgs) =>
  submitSignature({ request, context, url }, "link");

export const loader = () => redirect("/profile#wallet");
