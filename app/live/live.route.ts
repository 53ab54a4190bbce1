import { MEMBER_HEADER } from "../cache/browser-read.ts";
import { apiContext, sessionContext } from "../page/context.ts";
import { SIGNED_OUT_HEADER } from "../session/session-end.ts";
import { respondToScript, isForMember, NO_STORE, NO_TOKEN, refuseMethod } from "../page/json-response.ts";
import { EVENT_STREAM } from "../api/transport.ts";
import type { Route } from "./+types/live.route";

/** The browser's stream of changes: the API's own, with the bearer token added here. */
export async function loader(args: Route.LoaderArgs): Promise<Response> {
  const answer = await open(args);
  // A reader who listens until their session ends has done nothing wrong, so the browser's console shows no error.
  if (answer.status !== 401) return answer;
  const isKnown = args.context.get(sessionContext).session !== null;
  return new Response(null, { status: 204, headers: { ...NO_STORE, ...(!isKnown && { [SIGNED_OUT_HEADER]: "1" }) } });
}

function open({ request, context }: Route.LoaderArgs): Promise<Response> {
  return respondToScript(context, async () => {
    if (!isForMember(context, request.headers.get(MEMBER_HEADER))) throw NO_TOKEN;
    const lastEventId = request.headers.get("Last-Event-ID");
    const events = await context.get(apiContext).events.open({ lastEventId, signal: request.signal });
    return new Response(events, {
      headers: { ...NO_STORE, "Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no" },
    });
  });
}

/** Refuses every method but GET. */
export const action = refuseMethod;
