import { data, redirectDocument } from "react-router";
import { ApiError } from "../api/api-error.ts";
import { apiContext, sessionContext, type PageArgs, type PageContext } from "./context.ts";
import { isForMember } from "./json-response.ts";
import { logFailure, reportFault } from "./log-failure.ts";
import { getPageReads, isRefusedToken } from "./page-reads.ts";
import { requestContext } from "./request-context.ts";
import { AUTH_EVENT, EXPIRED } from "../api/auth-event.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { SIGN_IN_NOTE } from "../session/sign-in-note.ts";
import { draftCookies, isWorthKeeping, pickFields } from "./draft.ts";
import { MEMBER_FIELD } from "../session/member-field.ts";
import type { Session } from "../session/session.ts";
import { userQuery } from "../member/reads.ts";

/**
 * Loads a page that only members see. Leads to sign-in without a session, or with one that the API refuses. Turns
 * failures into error responses with the request's id, which the page's error boundary can explain and show.
 */
export async function loadForMember<T>(args: PageArgs, load: (session: Session) => Promise<T>): Promise<T> {
  const { session } = args.context.get(sessionContext);
  if (!session) throw redirectDocument(signInPath(args.url));
  try {
    return await load(session);
  } catch (error) {
    if (isRefusedToken(error)) throw await endExpiredSession(args);
    throw toErrorResponse(args.context, error);
  }
}

type MemberForm<T> = {
  form: FormData;
  /** The fields to keep when the session is over: never a password, a code or a hidden token. */
  draftFields: readonly string[];
  /** Answers if these are too long to keep. Without it, they are lost. `headers` end the session in the browser. */
  showAgain?: ((headers: Headers) => T) | undefined;
};

/**
 * Runs the action of a form on a member's page. Without a session, or with one that the API refuses, it leads to
 * sign-in and from there back to the page, which shows what had been typed (see consumeDraft). A form from another
 * member's page leads to the page of the member who is signed in now. Passes other errors through.
 */
export async function actForMember<T>(
  args: PageArgs,
  { form, draftFields, showAgain }: MemberForm<T>,
  act: (session: Session) => Promise<T>,
): Promise<T> {
  const { session } = args.context.get(sessionContext);
  // Someone else has signed in since the page was shown. Nothing happens in their name, and they see nothing of the
  // form.
  if (session && !isForMember(args.context, form.get(MEMBER_FIELD)))
    throw redirectDocument(args.url.pathname + args.url.search);
  try {
    if (session) return await confirmSession(args, await act(session));
  } catch (error) {
    if (!isRefusedToken(error)) throw error;
  }
  // A session that has expired is gone from the browser, too. The form then says whose it is.
  const member = session?.userId ?? form.get(MEMBER_FIELD);
  const typed = pickFields(form, draftFields);
  const draft = { member: typeof member === "string" ? member : "", path: args.url.pathname, ...typed };
  const draftLines = await draftCookies(args.context, draft);
  const toSignIn = await endExpiredSession(args, draftLines);
  if (showAgain && draftLines.length === 0 && isWorthKeeping(draft)) return showAgain(toSignIn.headers);
  throw toSignIn;
}

/** Leads to sign-in, and from there back, because the API no longer accepts the session's token. */
export function endExpiredSession({ context, url }: PageArgs, cookies: string[] = []): Promise<Response> {
  leaveOutcome(context, AUTH_EVENT, "SIGNED_OUT", EXPIRED);
  leaveOutcome(context, SIGN_IN_NOTE, "expired");
  return endSession({ context }, signInPath(url), cookies);
}

/** Checks that the session still holds. A form that was refused before it was sent on has not asked the API yet. */
async function confirmSession<T>({ context }: PageArgs, answer: T): Promise<T> {
  if (answer instanceof Response) return answer;
  const reads = getPageReads(context);
  await reads.get(userQuery(reads.read)).catch((error: unknown) => {
    if (isRefusedToken(error)) throw error;
  });
  return answer;
}

/** Ends the session on the server and in the browser, tells the other tabs, and leads to sign-in. */
export async function signOut({ context }: Pick<PageArgs, "context">): Promise<Response> {
  if (context.get(sessionContext).session) await revokeSession(context);
  leaveOutcome(context, AUTH_EVENT, "SIGNED_OUT");
  return endSession({ context }, "/auth");
}

/** Revokes the session on the server. Does not throw if the server cannot be reached: the token then expires. */
export async function revokeSession(context: PageContext): Promise<void> {
  try {
    await context.get(apiContext).sessions.logout();
  } catch (error) {
    if (!isRefusedToken(error)) logFailure(context, error, "The session could not be revoked");
  }
}

/**
 * Ends the session in the browser and sets the given cookies. Loads a new document, so that nothing the old one
 * remembers of the member stays.
 */
async function endSession(
  { context }: Pick<PageArgs, "context">,
  to: string,
  cookies: string[] = [],
): Promise<Response> {
  const all = [await context.get(sessionContext).cookie.destroy(), ...cookies];
  return redirectDocument(to, { headers: all.map((cookie): [string, string] => ["Set-Cookie", cookie]) });
}

/** Returns the address to sign in and come back from. Leaves out the dashboard, where a sign-in leads anyway. */
export function signInPath({ pathname, search, hash }: URL): string {
  const page = `${pathname}${search}${hash}`;
  return page === HOME ? "/auth" : `/auth?${new URLSearchParams({ redirectTo: page })}`;
}

/** The page where a member starts. */
export const HOME = "/dashboard";

/**
 * Turns a failed call into the page's error response. The call's 404 or 400 is not the page's own: to the reader the
 * page is forbidden, broken if the API is broken, and unavailable otherwise.
 */
function toErrorResponse(context: PageContext, error: unknown) {
  // Redirects, and responses that already explain the error.
  if (!(error instanceof Error)) return error;
  // The page says that the error has been logged.
  if (!(error instanceof ApiError) || error.code === "UNKNOWN_ERROR") reportFault(context, error);
  const { requestId } = context.get(requestContext);
  if (!(error instanceof ApiError)) return data({ requestId }, { status: 500 });
  const { code, retryAfter = 5, status } = error;
  if (status === 403 || (status === 500 && code !== "NETWORK_ERROR")) return data({ requestId }, { status });
  return data({ requestId }, { status: 503, headers: { "Retry-After": String(retryAfter) } });
}
