import type { RouterContextProvider } from "react-router";
import { ApiError } from "../api/api-error.ts";
import { MEMBER_HEADER } from "../cache/browser-read.ts";
import { sessionContext } from "../page/context.ts";

/* What the answers to the browser's own requests have in common: for reads and for events. */

export const NO_STORE = { "Cache-Control": "no-store" };

export const NO_TOKEN = new ApiError("No access token provided", "UNAUTHENTICATED", 401);

/** Whether somebody is signed in, and, where the request names a member, whether it is that one. */
export function isForMember(request: Request, context: Readonly<RouterContextProvider>): boolean {
  const { session } = context.get(sessionContext);
  const asked = request.headers.get(MEMBER_HEADER);
  return session !== null && (asked === null || asked === (session.userId ?? ""));
}

/** An error in the shape of the API's own. */
export function refuse({ message, code, status, fields, retryAfter }: ApiError): Response {
  return Response.json(
    { message, error: code, statusCode: status, ...(fields && { fields }) },
    { status, headers: { ...NO_STORE, ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }) } },
  );
}

/** For everything but GET (and HEAD, which loaders answer). */
export function refuseMethod(): Response {
  const response = refuse(new ApiError("That method is not allowed here.", "METHOD_NOT_ALLOWED", 405));
  response.headers.set("Allow", "GET, HEAD");
  return response;
}
