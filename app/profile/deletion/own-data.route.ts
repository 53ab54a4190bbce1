import { redirect } from "react-router";
import { toApiError } from "../../api/api-error.ts";
import { apiContext, logContext } from "../../page/context.ts";
import { isRefusedToken } from "../../page/page-reads.ts";
import { readForm } from "../../forms/checked-form.ts";
import { explainFailure } from "../../forms/form-failure.ts";
import { actForMember } from "../../page/member-page.ts";
import { flash } from "../../page/flash.ts";
import type { Route } from "./+types/own-data.route";
import { PROFILE } from "../profile-view.ts";

const UNAVAILABLE = "Your data cannot be put together right now. Please try again in a moment.";
const PASSED_ON = ["Content-Type", "Content-Disposition"];

/** Passes the file with everything that is kept about the member on, as it comes. The page stays where it is. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  return actForMember({ context, url: new URL(PROFILE, url) }, { form, keep: [] }, async () => {
    try {
      const { body, headers } = await context.get(apiContext).account.exportData();
      const given = PASSED_ON.map((name): [string, string] => [name, headers.get(name) ?? ""]);
      return new Response(body, { headers: [...given, ["Cache-Control", "no-store"]] });
    } catch (error) {
      if (isRefusedToken(error)) throw error;
      const { status, formErrors } = explainFailure(toApiError(error), { unavailable: UNAVAILABLE });
      if (status === 503) context.get(logContext).error({ err: error }, "A member's data could not be exported");
      return redirect(PROFILE, {
        status: 303,
        headers: { "Set-Cookie": flash(formErrors?.[0] ?? UNAVAILABLE, "error") },
      });
    }
  });
}

export const loader = () => redirect(PROFILE);
