import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./http-env.ts";

export const EVENT_STREAM = "text/event-stream";

export type EventStream = ReadableStream<Uint8Array<ArrayBuffer>>;

const encoder = new TextEncoder();

type Event = { id: string; data: unknown };

/** Encodes one event for the wire. Its data is JSON, which has no line breaks. */
export const encodeEvent = ({ id, data }: Event) => encoder.encode(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);

/** Encodes a comment, which only shows that the connection is alive. */
export const encodeKeepAlive = () => encoder.encode(":\n\n");

/** Encodes how long the client should wait before it reconnects after the end of the stream, in milliseconds. */
export const encodeRetry = (milliseconds: number) => encoder.encode(`retry: ${milliseconds}\n\n`);

/** Responds with events, and keeps proxies from buffering them. */
export function respondWithEvents(events: EventStream): Response {
  // nginx and similar proxies would otherwise collect a few kilobytes before they forward anything.
  return new Response(events, { headers: { "Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no" } });
}

/**
 * Ends all event streams once the server stops, because they would never finish on their own. A stream that breaks off,
 * for example because its backend was killed, ends normally, too: its client reconnects.
 */
export function endEventStreams(stopping: AbortSignal) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { body, headers, status } = c.res;
    if (!body || !headers.get("Content-Type")?.startsWith(EVENT_STREAM)) return;
    c.res = undefined;
    const broken = (err: unknown) => {
      // Not logged if the client disconnected.
      if (!c.req.raw.signal.aborted) c.get("log").warn({ err }, "a stream of events broke off");
    };
    c.res = new Response(endWith(stopping, body, broken), { status, headers });
  });
}

function endWith(stopping: AbortSignal, events: EventStream, broken: (error: unknown) => void): EventStream {
  const reader = events.getReader();
  // A cancelled reader reports that it is done, so the stream ends normally.
  const stop = () => void reader.cancel().catch(() => {});
  stopping.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  const forget = () => stopping.removeEventListener("abort", stop);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          broken(error);
          return { done: true as const, value: undefined };
        });
        if (!done) return controller.enqueue(value);
        forget();
        controller.close();
      },
      async cancel(reason) {
        forget();
        await reader.cancel(reason);
      },
    },
    // A slow client slows the source down. The source counts what is waiting.
    { highWaterMark: 0 },
  );
}
