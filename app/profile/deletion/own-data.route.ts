import { redirect } from "react-router";
import { NO_FIELDS, readForm, receiveForMember } from "../../forms/receive.ts";
import { leaveOutcome } from "../../outcome/outcome.ts";
import { TOAST } from "../../outcome/toast-words.ts";
import { apiContext } from "../../page/context.ts";
import type { Route } from "./+types/own-data.route";
import { PROFILE } from "../profile-view.ts";

/** Passes on the file with everything that we keep about the member, as it arrives. The browser stays on the page. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  return receiveForMember(
    { context, url: new URL(PROFILE, url) },
    { form, schema: NO_FIELDS },
    async () => {
      const { body, headers } = await context.get(apiContext).account.exportData();
      return new Response(body, { headers: describeFile(headers) });
    },
    ({ error }) => {
      // The time to wait, from the message of the rate limit.
      const wait = error?.status === 429 && / in (\d+ \w+)\.$/.exec(error.message)?.[1];
      if (wait) leaveOutcome(context, TOAST, "too-many-attempts", wait);
      else leaveOutcome(context, TOAST, "data-unavailable");
      return redirect(PROFILE, { status: 303 });
    },
  );
}

const describeFile = (given: Headers) => ({
  "Content-Type": given.get("Content-Type") ?? "application/json",
  "Content-Disposition": given.get("Content-Disposition") ?? 'attachment; filename="nodebeat-data-export.json"',
  "Cache-Control": "no-store",
});

export const loader = () => redirect(PROFILE);
