import { redirect } from "react-router";
import type { Route } from "./+types/change-wallet.route";
import { submitSignature } from "./submit-signature.ts";

export const action = ({ request, context, url }: Route.ActionArgs) =>
  submitSignature({ request, context, url }, "change");

export const loader = () => redirect("/profile#wallet");
