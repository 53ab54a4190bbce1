import { redirect } from "react-router";
import { readForm } from "../forms/receive.ts";
import { outcomeContext } from "../outcome/outcome.ts";
import { actForMember } from "../page/member-page.ts";
import type { Route } from "./+types/keep-draft.route";
import { DRAFT_FIELDS } from "./profile-form.ts";
import { CHANGE_EMAIL, PROFILE } from "./profile-view.ts";

/** Keeps what was typed into a profile form whose session turned out to be over. Changes nothing otherwise. */
export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const form = await readForm(request);
  const page = { context, url: new URL(url.searchParams.get("page") === "email" ? CHANGE_EMAIL : PROFILE, url) };
  try {
    await actForMember(page, { form, draftFields: DRAFT_FIELDS }, async () => null);
    return new Response(null, { status: 204 });
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    // Only the draft counts here. The page reloads to find out where to sign in, and the tab that leaves says why.
    context.get(outcomeContext).clear();
    const cookies = thrown.headers.getSetCookie().map((line): [string, string] => ["Set-Cookie", line]);
    return new Response(null, { status: 204, headers: cookies });
  }
}

/** There is no page at this address. */
export const loader = () => redirect(PROFILE);
