import { Hono } from "hono";
import { AppError } from "../errors.ts";
import { receiveBody } from "./handle-call.ts";
import { serviceOf } from "./contract.ts";
import type { ApiEnv } from "./mount-routes.ts";
import type { HttpContext } from "./http-env.ts";
import { isRead } from "./middleware/only-read.ts";
import { readBytes } from "./read-text.ts";

/** The addresses of the two parts of another backend. */
export type Backend = { apiUrl: string; authApiUrl?: string | undefined };

/** How long a response may take, in milliseconds. A file or a stream only has to begin by then. */
const TIMEOUT_MS = 10_000;

/** The largest response that is collected, in bytes, as for pages. One backend must not use up all memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Headers that are not passed on: those about this connection, those that a browser sends to this origin, because the
 * session's cookie is not for the backend, and those that anyone can send but a backend may believe because it trusts
 * us: addresses of clients, and traces. Ranges are not passed on either: the response may be compressed here, and byte
 * ranges of it would then not fit together.
 */
const NOT_FORWARDED =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|accept-encoding|range|if-range|expect|cookie|origin|referer|sec-.*|forwarded|x-forwarded-.*|(?:.*-)?(?:client|connecting|real)-ip|x-request-id|traceparent|tracestate|baggage)$/;

/** The response headers that are passed back. Compression and the connection are decided here. */
const PASSED_BACK = [
  "Accept-Encoding",
  "Age",
  "Allow",
  "Cache-Control",
  "Content-Disposition",
  "Content-Type",
  "ETag",
  "Last-Modified",
  "Retry-After",
  "Vary",
  "WWW-Authenticate",
  "X-Accel-Buffering",
  "X-Auth-Event",
];

/**
 * Passes calls on to the backend unchanged, with the caller's own token and key, because nodes and programs know the
 * address of the pages. Our key is only for the calls of our pages, and is not added. Throws UNAVAILABLE if no response
 * comes in time.
 */
export function forwardToBackend({ apiUrl, authApiUrl = apiUrl }: Backend): Hono<ApiEnv> {
  return new Hono<ApiEnv>().all("*", async (c: HttpContext, next) => {
    const { pathname, search } = new URL(c.req.url);
    if (!/^\/(?:api|submissions)\//.test(pathname)) return next();
    const base = serviceOf(pathname) === "auth" ? authApiUrl : apiUrl;
    return send(`${base.replace(/\/$/, "")}${pathname}${search}`, c);
  });
}

async function send(url: string, c: HttpContext): Promise<Response> {
  const { method, signal } = c.req.raw;
  const body = isRead(method) ? null : await receiveBody(() => c.req.arrayBuffer());
  const asking = new AbortController();
  const timer = setTimeout(() => asking.abort(new Error("no answer in time")), TIMEOUT_MS);
  // Once a response has begun, its reader ends it by reading no further.
  const leave = () => asking.abort(signal.reason);
  signal.addEventListener("abort", leave);
  if (signal.aborted) leave();
  try {
    // An API does not redirect. Following a redirect would send the caller's token to its target.
    const rules = { redirect: "error", signal: asking.signal } as const;
    return await copyResponse(
      await fetch(url, { method, headers: headersOf(c), ...rules, ...(body?.byteLength && { body }) }),
    );
  } catch (cause) {
    if (signal.aborted) throw new AppError("BAD_REQUEST", "Whoever asked has left.", { cause });
    c.get("log").warn({ err: cause }, "the backend did not answer a call");
    throw new AppError("UNAVAILABLE", "The service is busy. Please try again in a moment.", { retryAfter: 5, cause });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}

function headersOf(c: HttpContext): Headers {
  const headers = new Headers();
  for (const [name, value] of c.req.raw.headers) if (!NOT_FORWARDED.test(name)) headers.append(name, value);
  const address = c.get("clientAddress");
  if (address) headers.set("X-Forwarded-For", address);
  headers.set("X-Request-Id", c.get("requestId"));
  const traceparent = c.get("traceparent");
  if (traceparent) headers.set("traceparent", traceparent);
  return headers;
}

/** Rejects if the status is not valid, or if the body breaks off, does not end or cannot be decompressed. */
async function copyResponse(answer: Response): Promise<Response> {
  const headers = new Headers();
  for (const name of PASSED_BACK) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { body, status } = answer;
  if (status > 599) throw new Error(`the backend answers ${status}`);
  return new Response(body && isShort(headers) ? await readBytes(answer, MAX_BYTES) : body, { status, headers });
}

/**
 * Returns whether to wait for the whole body: half of an answer is useless. Only streams and files may be long. A table
 * is a file even if the backend does not say so.
 */
const isShort = (headers: Headers) =>
  !/^text\/(?:event-stream|csv)\b/i.test(headers.get("Content-Type") ?? "") && !headers.has("Content-Disposition");
