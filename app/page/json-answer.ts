import { ApiError, toApiError } from "../api/api-error.ts";
import { sessionContext, type PageContext } from "./context.ts";
import { reportFault } from "./log-failure.ts";

/* What the answers to the browser's own requests have in common: for reads, for events and for what islands send. */

export const NO_STORE = { "Cache-Control": "no-store" };

export const NO_TOKEN = new ApiError("No access token provided", "UNAUTHENTICATED", 401);

/** Whether somebody is signed in, and, where the request names a member, whether it is that one. */
export function isForMember(context: PageContext, asked: unknown): boolean {
  const { session } = context.get(sessionContext);
  return session !== null && (asked === null || asked === (session.userId ?? ""));
}

/** Seconds after which it makes sense to ask for what no answer came for. */
const AGAIN_AFTER = 5;

/** An error in the shape of the API's own. Where the API has not answered, it is unavailable to whoever asks here. */
export function refuse(error: ApiError, headers: Iterable<[string, string]> = []) {
  const { message, code, fields } = error;
  const status = code === "NETWORK_ERROR" ? 503 : error.status;
  const retryAfter = error.retryAfter ?? (status === 503 ? AGAIN_AFTER : undefined);
  const all = [...headers, ...Object.entries(NO_STORE)];
  if (retryAfter !== undefined) all.push(["Retry-After", String(retryAfter)]);
  const body = { message, error: code, statusCode: status, ...(fields && { fields }) };
  return Response.json(body, { status, headers: all });
}

/**
 * Answers what a script has asked for or sent. Where a page would be led elsewhere, as to sign-in, the script is told
 * where to go: it would follow a redirect itself, unseen, and use up what the page there has to say.
 */
export async function answerScript(context: PageContext, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof Response) return refuse(NO_TOKEN, thrown.headers);
    if (!(thrown instanceof ApiError)) reportFault(context, thrown);
    return refuse(toApiError(thrown));
  }
}

/** For everything but GET (and HEAD, which loaders answer). */
export function refuseMethod(): Response {
  return refuse(new ApiError("That method is not allowed here.", "METHOD_NOT_ALLOWED", 405), [["Allow", "GET, HEAD"]]);
}
