import { Hono } from "hono";
import { AppError } from "../errors.ts";
import { receiveBody } from "./answer-call.ts";
import { serviceOf } from "./contract.ts";
import type { ApiEnv } from "./mount-routes.ts";
import type { HttpContext } from "./http-env.ts";
import { isRead } from "./middleware/only-read.ts";
import { readBytes } from "./read-text.ts";

/** Where the two parts of another backend stand. */
export type Backend = { apiUrl: string; authApiUrl?: string | undefined };

/** Milliseconds that an answer has. A file or a stream has to begin in them, and may then take its time. */
const PATIENCE = 10_000;

/** Bytes of the largest answer that is waited for, as for pages: one backend must not take all memory. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Headers about this connection, and those that a browser sends to this origin: the session's cookie is not for the
 * backend. Nor is a range asked for: the answer may be compressed here, and a part of it then fits no other.
 */
const KEPT_HERE =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|accept-encoding|range|if-range|expect|cookie|origin|referer|sec-.*|forwarded|x-forwarded-.*|x-real-ip|x-request-id)$/;

/** What an answer says of itself. How it is compressed, and how its connection goes on, is decided anew here. */
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
 * Passes calls on to the backend as they come, with the caller's own token and key: nodes and programs know the address
 * of the pages. Our key is for the calls of our pages and not added. Throws UNAVAILABLE where none comes in time.
 */
export function passOn({ apiUrl, authApiUrl = apiUrl }: Backend): Hono<ApiEnv> {
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
  const timer = setTimeout(() => asking.abort(new Error("no answer in time")), PATIENCE);
  // Once an answer has begun, its reader ends it by reading no more.
  const leave = () => asking.abort(signal.reason);
  signal.addEventListener("abort", leave);
  if (signal.aborted) leave();
  try {
    // An API does not redirect; following one would hand the caller's token to whoever it points at.
    const rules = { redirect: "error", signal: asking.signal } as const;
    return await answerFrom(
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
  for (const [name, value] of c.req.raw.headers) if (!KEPT_HERE.test(name)) headers.append(name, value);
  const address = c.get("clientAddress");
  if (address) headers.set("X-Forwarded-For", address);
  headers.set("X-Request-Id", c.get("requestId"));
  return headers;
}

/** Rejects where the status does not exist, or the body breaks off, goes on and on or cannot be unpacked. */
async function answerFrom(answer: Response): Promise<Response> {
  const headers = new Headers();
  for (const name of PASSED_BACK) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { body, status } = answer;
  if (status > 599) throw new Error(`the backend answers ${status}`);
  return new Response(body && isShort(headers) ? await readBytes(answer, MOST_BYTES) : body, { status, headers });
}

/** Whether to wait for all of it: half an answer is of no use, and only files can be long. */
const isShort = (headers: Headers) =>
  /^application\/json\b/.test(headers.get("Content-Type") ?? "") && !headers.has("Content-Disposition");
