import { createMiddleware } from "hono/factory";
import { negotiate, type Encoding } from "./accept-encoding.ts";
import { collectBody, type Bytes, type ByteStream } from "../listening/collect-body.ts";
import { compressBuffer, compressStream } from "./compressors.ts";
import type { HttpEnv } from "../http-env.ts";

/** Not events: each is small, and goes out by itself. */
const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/json)/;
/** Below this a smaller body saves nothing: it fits the packet that carries the headers. */
const MIN_SIZE = 1024;
const PREFERRED = ["zstd", "br", "gzip"] as const;

/**
 * Compresses what the application answers: once and whole when all of it is there, as it comes when a page still
 * waits for deferred data. Static files come compressed from the build and pass through.
 */
export function compression() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { status, headers: given } = c.res;
    const body = c.get("whole") ?? c.res.body;
    const headers = new Headers(given);
    const sent =
      body && isCompressible(headers)
        ? await send(body, headers, negotiate(PREFERRED, c.req.header("accept-encoding")))
        : body;
    // Node would announce an empty body in chunks. To HEAD, how long the body of a GET is is not known without one.
    if (!body && c.req.method !== "HEAD" && status !== 204 && status !== 304) headers.set("Content-Length", "0");
    // To HEAD the headers are the answer: nobody is going to read what comes as it is made, nor to end it.
    const isUnread = c.req.method === "HEAD" && sent instanceof ReadableStream;
    // One that has broken off by then is over, too.
    if (isUnread) sent.cancel().catch(() => {});
    // Always a response of our own, for what follows sets headers and those of a fetched one are fixed. The old one
    // is cleared first: Hono would copy its headers over, and touch its body, to merge the two.
    c.res = undefined;
    c.res = new Response(isUnread ? null : sent, { status, headers });
  });
}

function isCompressible(headers: Headers) {
  return COMPRESSIBLE.test(headers.get("Content-Type") ?? "") && !headers.has("Content-Encoding");
}

async function send(given: Bytes | ByteStream, headers: Headers, encoding: Encoding | undefined) {
  if (!/\baccept-encoding\b/i.test(headers.get("Vary") ?? "")) headers.append("Vary", "Accept-Encoding");
  // A file is as long as it is: collected, it would fill the memory.
  const body = given instanceof Uint8Array || headers.has("Content-Disposition") ? given : await collectBody(given);
  if (!(body instanceof Uint8Array)) {
    if (!encoding) return body;
    noteEncoding(headers, encoding);
    return compressStream(body, encoding);
  }
  const isWorthIt = encoding && body.length >= MIN_SIZE;
  const sent = isWorthIt ? await compressBuffer(body, encoding) : body;
  if (isWorthIt) noteEncoding(headers, encoding);
  headers.set("Content-Length", String(sent.length));
  return sent;
}

/** A backend's tag stands for its own bytes: of what is packed here it says that it means the same (RFC 9110, 8.8.1). */
function noteEncoding(headers: Headers, encoding: Encoding) {
  headers.set("Content-Encoding", encoding);
  const etag = headers.get("ETag");
  if (etag?.startsWith('"')) headers.set("ETag", `W/${etag}`);
}
