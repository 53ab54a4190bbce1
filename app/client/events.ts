import { readEvents } from "../../server/live/contract.ts";
import { isAuthEvent } from "../api/auth-event.ts";
import { ApiError, readErrorResponse, toNetworkError } from "../api/api-error.ts";
import { toRequest, type CallerOptions } from "../api/call.ts";
import { EVENT_STREAM } from "../api/transport.ts";

type Wanted = {
  /** The id of the last event that was seen. */
  lastEventId: string | null;
  /** Aborted when nobody waits for the stream any more. */
  signal: AbortSignal;
};

/** Opens the stream of what changes for the member. It is handed on as it is: nothing here looks into it. */
export function createEventsClient({ main, accessToken, onEvent }: CallerOptions) {
  return {
    /** Rejects with an ApiError; one of status 501 where the backend has no events. */
    async open({ lastEventId, signal }: Wanted): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
      const request = toRequest(readEvents, {}, main.baseUrl, {
        ...main.headers,
        Accept: EVENT_STREAM,
        Authorization: `Bearer ${accessToken}`,
        ...(lastEventId && { "Last-Event-ID": lastEventId }),
      });
      const response = await main.fetchStream(new Request(request, { signal })).catch((error: unknown) => {
        throw toNetworkError(error);
      });
      const event = response.headers.get("x-auth-event");
      if (isAuthEvent(event)) onEvent?.(event);
      if (!response.ok) throw await readErrorResponse(response);
      if (response.body && response.headers.get("Content-Type")?.startsWith(EVENT_STREAM)) return response.body;
      await response.body?.cancel();
      throw new ApiError("This backend has no events.", "NOT_IMPLEMENTED", 501);
    },
  };
}
