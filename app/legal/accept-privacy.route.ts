import { redirect } from "react-router";
import type { Route } from "./+types/accept-privacy.route";
import { acceptDocument } from "./accept-document.ts";

export const action = ({ request, context, url }: Route.ActionArgs) => acceptDocument({ request, context, url }, "pp");

export const loader = () => redirect("/");
