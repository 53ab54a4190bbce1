import { readEvents } from "../../server/live/contract.ts";
import { ApiError } from "../api/api-error.ts";
import type { Sender } from "../api/call.ts";
import { notOffered, type MissingCalls } from "../api/missing-calls.ts";
import { EVENT_STREAM } from "../api/transport.ts";

type Wanted = {
  /** The id of the last event that was seen. */
  lastEventId: string | null;
  /** Aborted when nobody waits for the stream any longer. */
  signal: AbortSignal;
};

/** Creates the call that opens the stream of what changes for the member. The stream is passed on unread. */
export function createEventsClient(send: Sender, missing: MissingCalls) {
  return {
    /** Rejects with an ApiError. If the backend has no events, its status is 404, and it says when to ask again. */
    async open({ lastEventId, signal }: Wanted): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
      const headers = { Accept: EVENT_STREAM, ...(lastEventId && { "Last-Event-ID": lastEventId }) };
      const events = await missing.callUnlessMissing(readEvents, async () => {
        const { body, headers: answered } = await send(readEvents, { headers, signal });
        if (body && answered.get("Content-Type")?.startsWith(EVENT_STREAM)) return body;
        await body?.cancel();
        throw new ApiError("This backend has no events.", "NOT_IMPLEMENTED", 501);
      });
      if (!events) throw notOffered(missing.secondsLeft(readEvents));
      return events;
    },
  };
}
