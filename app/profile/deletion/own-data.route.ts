import { redirect } from "react-router";
import { NO_FIELDS, readForm, receiveForMember } from "../../forms/receive.ts";
import { say } from "../../outcome/outcome.ts";
import { TOAST } from "../../outcome/toast-words.ts";
import { apiContext } from "../../page/context.ts";
import type { Route } from "./+types/own-data.route";
import { PROFILE } from "../profile-view.ts";

const PASSED_ON = ["Content-Type", "Content-Disposition"];

/** Passes the file with everything that is kept about the member on, as it comes. The page stays where it is. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  return receiveForMember(
    { context, url: new URL(PROFILE, url) },
    { form, schema: NO_FIELDS },
    async () => {
      const { body, headers } = await context.get(apiContext).account.exportData();
      const given = PASSED_ON.map((name): [string, string] => [name, headers.get(name) ?? ""]);
      return new Response(body, { headers: [...given, ["Cache-Control", "no-store"]] });
    },
    ({ error }) => {
      // As the limit says it.
      const wait = error?.status === 429 && / in (\d+ \w+)\.$/.exec(error.message)?.[1];
      if (wait) say(context, TOAST, "too-many-attempts", wait);
      else say(context, TOAST, "data-unavailable");
      return redirect(PROFILE, { status: 303 });
    },
  );
}

export const loader = () => redirect(PROFILE);
