import { toApiError } from "../api/api-error.ts";
import { MEMBER_HEADER } from "../cache/browser-read.ts";
import { apiContext } from "../page/context.ts";
import { isForMember, NO_STORE, NO_TOKEN, refuse, refuseMethod } from "../page/json-answer.ts";
import { EVENT_STREAM } from "../api/transport.ts";
import type { Route } from "./+types/live.route";

/** The browser's stream of what changes: the API's own, with the bearer token added here. */
export async function loader({ request, context }: Route.LoaderArgs): Promise<Response> {
  if (!isForMember(context, request.headers.get(MEMBER_HEADER))) return refuse(NO_TOKEN);
  try {
    const lastEventId = request.headers.get("Last-Event-ID");
    const events = await context.get(apiContext).events.open({ lastEventId, signal: request.signal });
    return new Response(events, {
      headers: { ...NO_STORE, "Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no" },
    });
  } catch (error) {
    return refuse(toApiError(error));
  }
}

/** Everything but GET. */
export function action(): Response {
  return refuseMethod();
}
