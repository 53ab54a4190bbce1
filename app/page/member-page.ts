import { data, redirectDocument } from "react-router";
import { ApiError } from "../api/api-error.ts";
import { apiContext, sessionContext, type PageArgs, type PageContext } from "./context.ts";
import { isForMember } from "./json-answer.ts";
import { logFailure, reportFault } from "./log-failure.ts";
import { getPageReads, isRefusedToken } from "./page-reads.ts";
import { requestContext } from "./request-context.ts";
import { AUTH_EVENT, EXPIRED } from "../api/auth-event.ts";
import { say } from "../outcome/outcome.ts";
import { SIGN_IN_NOTE } from "../session/sign-in-note.ts";
import { keepDraft, pickFields } from "./draft.ts";
import { MEMBER_FIELD } from "../session/member-field.ts";
import type { Session } from "../session/session.ts";
import { userQuery } from "../member/reads.ts";

/**
 * Loads a page that only members see. Without a session, or with one the API refuses, it leads to sign-in.
 * Failures become error responses with the request's id, which the page's error boundary can explain and show.
 */
export async function loadForMember<T>(args: PageArgs, load: (session: Session) => Promise<T>): Promise<T> {
  const { session } = args.context.get(sessionContext);
  if (!session) throw redirectDocument(signInPath(args.url));
  try {
    return await load(session);
  } catch (error) {
    if (isRefusedToken(error)) throw await leaveExpired(args);
    throw toErrorResponse(args.context, error);
  }
}

type MemberForm = {
  form: FormData;
  /** The fields that are kept when the session is over: never a password, a code or a hidden token. */
  keep: readonly string[];
};

/**
 * Does what a form of a member's page asks for. Without a session, or with one the API refuses, it leads to sign-in and
 * from there back to the page, which shows what had been typed (see takeDraft). A form of another member's page leads
 * to the page of whoever is signed in now. Other errors pass through.
 */
export async function actForMember<T>(
  args: PageArgs,
  { form, keep }: MemberForm,
  act: (session: Session) => Promise<T>,
): Promise<T> {
  const { session } = args.context.get(sessionContext);
  // Somebody else has signed in since the page was shown: nothing is done in their name, and they see nothing of it.
  if (session && !isForMember(args.context, form.get(MEMBER_FIELD)))
    throw redirectDocument(args.url.pathname + args.url.search);
  try {
    if (session) return await confirmSession(args, await act(session));
  } catch (error) {
    if (!isRefusedToken(error)) throw error;
  }
  // A session at its very end is gone from the browser, too: then the form says whose it is.
  const member = session?.userId ?? form.get(MEMBER_FIELD);
  const draft = { member: typeof member === "string" ? member : "", path: args.url.pathname };
  const kept = await keepDraft(args.context, { ...draft, ...pickFields(form, keep) });
  throw await leaveExpired(args, kept);
}

/** Leads to sign-in, and from there back, since the API no longer takes the session's token. */
export function leaveExpired({ context, url }: PageArgs, cookies: string[] = []): Promise<Response> {
  say(context, AUTH_EVENT, "SIGNED_OUT", EXPIRED);
  say(context, SIGN_IN_NOTE, "expired");
  return endSession({ context }, signInPath(url), cookies);
}

/** A form that was refused before it was sent on has asked nobody yet whether the session still holds. */
async function confirmSession<T>({ context }: PageArgs, answer: T): Promise<T> {
  if (answer instanceof Response) return answer;
  const reads = getPageReads(context);
  await reads.get(userQuery(reads.read)).catch((error: unknown) => {
    if (isRefusedToken(error)) throw error;
  });
  return answer;
}

/** Ends the session on the server and in the browser, has the other tabs hear of it, and leads to sign-in. */
export async function signOut({ context }: Pick<PageArgs, "context">): Promise<Response> {
  if (context.get(sessionContext).session) await revokeSession(context);
  say(context, AUTH_EVENT, "SIGNED_OUT");
  return endSession({ context }, "/auth");
}

/** The member leaves even when the server cannot be told; the token then runs out by itself. */
export async function revokeSession(context: PageContext): Promise<void> {
  try {
    await context.get(apiContext).sessions.logout();
  } catch (error) {
    if (!isRefusedToken(error)) logFailure(context, error, "The session could not be revoked");
  }
}

/**
 * Ends the session in the browser, and sets what other cookie is given. A new document, so that nothing the old one
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

/** Where to sign in and come back from. The dashboard is where a sign-in leads anyway. */
export function signInPath({ pathname, search, hash }: URL): string {
  const page = `${pathname}${search}${hash}`;
  return page === HOME ? "/auth" : `/auth?${new URLSearchParams({ redirectTo: page })}`;
}

/** Where a member starts. */
export const HOME = "/dashboard";

/**
 * A failed call is not the page's own 404 or 400: to its reader the page is forbidden, broken where the API is, and
 * unavailable otherwise.
 */
function toErrorResponse(context: PageContext, error: unknown) {
  // Redirects, and answers that are explained already.
  if (!(error instanceof Error)) return error;
  // The page says that it is in the log.
  if (!(error instanceof ApiError) || error.code === "UNKNOWN_ERROR") reportFault(context, error);
  const { requestId } = context.get(requestContext);
  if (!(error instanceof ApiError)) return data({ requestId }, { status: 500 });
  const { code, retryAfter = 5, status } = error;
  if (status === 403 || (status === 500 && code !== "NETWORK_ERROR")) return data({ requestId }, { status });
  return data({ requestId }, { status: 503, headers: { "Retry-After": String(retryAfter) } });
}
