import { LoginInput } from "../../../server/auth/contract.ts";
import { queueEvent } from "../../analytics/measuring.ts";
import { apiContext } from "../../page/context.ts";
import { DemoNote } from "../../page/demo.tsx";
import { returnPath } from "../../page/return-path.ts";
import type { Route } from "./+types/sign-in.route";
import { beginSession } from "../begin-session.ts";
import { loadCheckedForm, receiveChecked } from "../../forms/checked-form.ts";
import { FormNotice } from "../../forms/form-notice.tsx";
import { useNotes } from "../../outcome/notes.tsx";
import type { ReceivedOutcome } from "../../outcome/outcome.ts";
import { SIGN_IN_NOTE, SIGN_IN_WORDS, type SignInWord } from "../../session/sign-in-note.ts";
import { forwardRetryAfter, readForm } from "../../forms/receive.ts";
import { HOME } from "../../page/member-page.ts";
import { SignInForm } from "./sign-in-form.tsx";

const UNAVAILABLE = "Signing in does not work right now. Please try again in a moment.";

/** Shown to visitors who followed a link to a member's page. */
const WANTED = "Please sign in to see that page.";

/** Shown to visitors who have signed in and come back, because their browser keeps no cookies. */
const NO_COOKIES = "Signing in needs cookies, and your browser sends none. Allow cookies for this site, then sign in.";

export const loader = ({ context, request, url }: Route.LoaderArgs) =>
  loadCheckedForm(context, { reason: explainVisit(request, url) });

/**
 * Returns why the visitor is here, as far as the server can tell. Signing in leads to the member's page and, if no
 * cookie was kept, from there back to this one. All the way, browsers send the form's page as the referrer.
 */
function explainVisit({ headers }: Request, { pathname, searchParams }: URL): string | undefined {
  const isBack = headers.get("Referer")?.split("?")[0]?.endsWith(pathname);
  if (isBack && !headers.has("Cookie") && headers.get("Sec-Fetch-Mode") !== "cors") return NO_COOKIES;
  return searchParams.has("redirectTo") ? WANTED : undefined;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  const rules = { schema: LoginInput, unavailable: UNAVAILABLE, credential: "password" };
  return receiveChecked(context, { form, ...rules }, async (input) => {
    const { access_token: accessToken, user } = await context.get(apiContext).auth.login(input);
    if (!accessToken) throw new Error("The sign-in brought no access token");
    const destination = returnPath(url.searchParams.get("redirectTo"), url, HOME);
    queueEvent(context, { event: "login" });
    return beginSession(context, { accessToken, userId: user.id }, destination);
  });
}

export const headers = forwardRetryAfter;

/** Picks the note to show. The server may only know that the session is over, while a tab has said why. */
function readNote(notes: ReceivedOutcome<SignInWord>[]) {
  const note = notes.findLast(({ word }) => word !== "expired") ?? notes.at(-1);
  return note && SIGN_IN_WORDS[note.word];
}

export default function SignInRoute({ loaderData, actionData }: Route.ComponentProps) {
  const notes = useNotes(SIGN_IN_NOTE);
  const check = actionData ? actionData.check : loaderData.check;
  const unavailable = check === null && !actionData && UNAVAILABLE;
  return (
    <div className="grid gap-5">
      <SignInForm
        lastResult={actionData?.result}
        retryAt={actionData?.retryAt}
        check={check}
        // Why the visitor is here, or why the form cannot be used yet.
        notice={<FormNotice>{unavailable || (readNote(notes) ?? loaderData.reason)}</FormNotice>}
      />
      <DemoNote />
    </div>
  );
}
