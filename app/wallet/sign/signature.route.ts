import { data, redirect } from "react-router";
import { WalletPurpose } from "../../../server/wallet/contract.ts";
import type { Route } from "./+types/signature.route";
import { submitSignature } from "./submit-signature.ts";

export function action({ context, params, request, url }: Route.ActionArgs) {
  const purpose = WalletPurpose.safeParse(params.purpose);
  if (!purpose.success) throw data(null, { status: 404 });
  return submitSignature({ request, context, url }, purpose.data);
}

export const loader = () => redirect("/profile#wallet");
