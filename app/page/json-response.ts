import { ApiError, toApiError } from "../api/api-error.ts";
import { sessionContext, type PageContext } from "./context.ts";
import { reportFault } from "./log-failure.ts";

/* Shared by the responses to the browser's own requests: reads, events and what islands send. */

export const NO_STORE = { "Cache-Control": "no-store" };

export const NO_TOKEN = new ApiError("No access token provided", "UNAUTHENTICATED", 401);

/** Returns whether someone is signed in and, if the request names a member, whether it is that member. */
export function isForMember(context: PageContext, memberId: unknown): boolean {
  const { session } = context.get(sessionContext);
  return session !== null && (memberId === null || memberId === (session.userId ?? ""));
}

/** How long to wait before asking again if the API has not answered, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Returns an error in the shape of the API's own. If the API has not answered, the status is 503. */
export function refuse(error: ApiError, headers: Iterable<[string, string]> = []) {
  const { message, code, fields } = error;
  const status = code === "NETWORK_ERROR" ? 503 : error.status;
  const retryAfter = error.retryAfter ?? (status === 503 ? RETRY_AFTER_SECONDS : undefined);
  const all = [...headers, ...Object.entries(NO_STORE)];
  if (retryAfter !== undefined) all.push(["Retry-After", String(retryAfter)]);
  const body = { message, error: code, statusCode: status, ...(fields && { fields }) };
  return Response.json(body, { status, headers: all });
}

/**
 * Responds to a script's request. Where a page would be redirected, for example to sign-in, the response tells the
 * script where to go. The script would follow a redirect unseen, and use up the message for that page.
 */
export async function respondToScript(context: PageContext, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof Response) return refuse(NO_TOKEN, thrown.headers);
    if (!(thrown instanceof ApiError)) reportFault(context, thrown);
    return refuse(toApiError(thrown));
  }
}

/** Refuses every method but GET (and HEAD, which loaders answer). */
export function refuseMethod(): Response {
  return refuse(new ApiError("That method is not allowed here.", "METHOD_NOT_ALLOWED", 405), [["Allow", "GET, HEAD"]]);
}
