import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./http-env.ts";

export const EVENT_STREAM = "text/event-stream";

export type EventStream = ReadableStream<Uint8Array<ArrayBuffer>>;

const encoder = new TextEncoder();

type Event = { id: string; data: unknown };

/** One event as it goes over the wire. Its data is JSON, and so without line breaks. */
export const encodeEvent = ({ id, data }: Event) => encoder.encode(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);

/** Says that the connection lives, and nothing else. */
export const encodeSignOfLife = () => encoder.encode(":\n\n");

/** How long to wait, in milliseconds, before coming back after the stream has ended. */
export const encodeRetry = (milliseconds: number) => encoder.encode(`retry: ${milliseconds}\n\n`);

/** Answers with events, past what would hold them up on the way. */
export function respondWithEvents(events: EventStream): Response {
  // nginx and its kin would gather a few kilobytes before they pass anything on.
  return new Response(events, { headers: { "Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no" } });
}

/**
 * Ends streams of events, whoever makes them, once the server stops: they would never finish by themselves. One that
 * breaks off, as that of a backend that is killed, ends, too: whoever reads it comes back.
 */
export function endEventStreams(stopping: AbortSignal) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { body, headers, status } = c.res;
    if (!body || !headers.get("Content-Type")?.startsWith(EVENT_STREAM)) return;
    c.res = undefined;
    const broken = (err: unknown) => {
      // Not by its reader, who has left.
      if (!c.req.raw.signal.aborted) c.get("log").warn({ err }, "a stream of events broke off");
    };
    c.res = new Response(endWith(stopping, body, broken), { status, headers });
  });
}

function endWith(stopping: AbortSignal, events: EventStream, broken: (error: unknown) => void): EventStream {
  const reader = events.getReader();
  // A cancelled reader says that it is done, and the stream ends as if there were nothing more to say.
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
    // A slow reader slows it down; what waits is counted where it is made.
    { highWaterMark: 0 },
  );
}
