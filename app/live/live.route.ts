import { MEMBER_HEADER } from "../cache/browser-read.ts";
import { apiContext } from "../page/context.ts";
import { answerScript, isForMember, NO_STORE, NO_TOKEN, refuseMethod } from "../page/json-answer.ts";
import { EVENT_STREAM } from "../api/transport.ts";
import type { Route } from "./+types/live.route";

/** The browser's stream of what changes: the API's own, with the bearer token added here. */
export async function loader({ request, context }: Route.LoaderArgs): Promise<Response> {
  return answerScript(async () => {
    if (!isForMember(context, request.headers.get(MEMBER_HEADER))) throw NO_TOKEN;
    const lastEventId = request.headers.get("Last-Event-ID");
    const events = await context.get(apiContext).events.open({ lastEventId, signal: request.signal });
    return new Response(events, {
      headers: { ...NO_STORE, "Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no" },
    });
  });
}

/** Everything but GET. */
export const action = refuseMethod;
