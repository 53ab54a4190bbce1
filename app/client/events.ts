import { readEvents } from "../../server/live/contract.ts";
import { ApiError, toNetworkError } from "../api/api-error.ts";
import type { Sender } from "../api/call.ts";
import { notOffered, type MissingCalls } from "../api/missing-calls.ts";
import { EVENT_STREAM } from "../api/transport.ts";

type Wanted = {
  /** The id of the last event that was seen. */
  lastEventId: string | null;
  /** Aborted when nobody waits for the stream any longer. */
  signal: AbortSignal;
};

/**
 * Creates the call that opens the stream of what changes for the member. The stream is passed on unread, but for the
 * first event of a backend elsewhere (`isOurs` is false): it may have other events at this address.
 */
export function createEventsClient(send: Sender, missing: MissingCalls, isOurs: boolean) {
  return {
    /** Rejects with an ApiError. If the backend has no events, its status is 404, and it says when to ask again. */
    async open({ lastEventId, signal }: Wanted): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
      const headers = { Accept: EVENT_STREAM, ...(lastEventId && { "Last-Event-ID": lastEventId }) };
      const events = await missing.callUnlessMissing(readEvents, async () => {
        const { body, headers: answered } = await send(readEvents, { headers, signal });
        if (body && answered.get("Content-Type")?.startsWith(EVENT_STREAM))
          // Whoever names an event has seen ours, and may get no other for hours.
          return isOurs || lastEventId ? body : requireNews(body);
        await body?.cancel();
        throw noEvents();
      });
      if (!events) throw notOffered(missing.secondsLeft(readEvents));
      return events;
    },
  };
}

type Events = ReadableStream<Uint8Array<ArrayBuffer>>;

const noEvents = () => new ApiError("This backend has no events.", "NOT_IMPLEMENTED", 501);

/** How long the first event may take, in milliseconds. It is sent at once. */
const FIRST_EVENT_MS = 5_000;
/** How long to wait before asking again for a first event that did not come, in seconds. */
const RETRY_AFTER_SECONDS = 30;
/** The most characters in front of the end of the first event. */
const MAX_CHARACTERS = 100_000;

/** Returns the same stream once its first event has turned out to be news. Otherwise ends it, and throws. */
async function requireNews(events: Events): Promise<Events> {
  const [first, all] = events.tee();
  try {
    const data = await readFirst(first);
    if (data === undefined)
      throw new ApiError("No event came.", "UNAVAILABLE", 503, { retryAfter: RETRY_AFTER_SECONDS });
    if (!isNews(data)) throw noEvents();
    return all;
  } catch (error) {
    void all.cancel().catch(() => {});
    throw error instanceof ApiError ? error : toNetworkError(error);
  }
}

/** Reads the data of the first event. Resolves to undefined if it does not come in time. */
async function readFirst(events: Events): Promise<string | undefined> {
  const reader = events.pipeThrough(new TextDecoderStream()).getReader();
  const leave = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(leave, FIRST_EVENT_MS);
  try {
    for (let text = ""; text.length < MAX_CHARACTERS;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
      const [, data] = /^data: (.*)\n/m.exec(text) ?? [];
      if (data !== undefined) return data;
    }
    return undefined;
  } finally {
    clearTimeout(timer);
    leave();
  }
}

function isNews(data: string): boolean {
  try {
    const { changed, stats } = Object(JSON.parse(data));
    return Array.isArray(changed) && typeof stats === "object" && stats !== null;
  } catch {
    return false;
  }
}
