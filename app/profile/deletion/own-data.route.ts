import { redirect } from "react-router";
import { toApiError } from "../../api/api-error.ts";
import { apiContext } from "../../page/context.ts";
import { logFailure } from "../../page/log-failure.ts";
import { isRefusedToken } from "../../page/page-reads.ts";
import { readForm } from "../../forms/checked-form.ts";
import { actForMember } from "../../page/member-page.ts";
import { say } from "../../outcome/outcome.ts";
import { TOAST } from "../../outcome/toast-words.ts";
import type { Route } from "./+types/own-data.route";
import { PROFILE } from "../profile-view.ts";

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
      logFailure(context, error, "A member's data could not be exported");
      const wait = readWait(error);
      if (wait) say(context, TOAST, "too-many-attempts", wait);
      else say(context, TOAST, "data-unavailable");
      return redirect(PROFILE, { status: 303 });
    }
  });
}

/** How long to wait after too many attempts, as the limit says it. */
function readWait(error: unknown): string | undefined {
  const { message, status } = toApiError(error);
  return status === 429 ? / in (\d+ \w+)\.$/.exec(message)?.[1] : undefined;
}

export const loader = () => redirect(PROFILE);
