import { createMiddleware } from "hono/factory";
import { negotiate, type Encoding } from "./accept-encoding.ts";
import { collectBody, type Bytes, type ByteStream } from "../listening/collect-body.ts";
import { compressBuffer, compressStream } from "./compressors.ts";
import type { HttpEnv } from "../http-env.ts";

/** Event streams are excluded: each event is small and sent on its own. */
const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/json)/;
/** Smaller bodies save nothing: they fit into the packet that carries the headers. */
const MIN_SIZE = 1024;
const PREFERRED = ["zstd", "br", "gzip"] as const;

/**
 * Compresses the application's responses: all at once if the body is complete, and as it is produced if a page still
 * waits for deferred data. Static files were compressed by the build and pass through.
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
    // Node would send an empty body in chunks. For HEAD without a body, the length that a GET would have is not known.
    if (!body && c.req.method !== "HEAD" && status !== 204 && status !== 304) headers.set("Content-Length", "0");
    // For HEAD, the headers are the whole response: nobody will read a streamed body, or end it.
    const isUnread = c.req.method === "HEAD" && sent instanceof ReadableStream;
    // A stream that has already broken off is over, too.
    if (isUnread) sent.cancel().catch(() => {});
    // Always creates a new response, because later middleware sets headers, and those of a fetched response are
    // immutable. `c.res` is cleared first: otherwise Hono would merge the two, which copies the old headers and touches
    // the body.
    c.res = undefined;
    c.res = new Response(isUnread ? null : sent, { status, headers });
  });
}

function isCompressible(headers: Headers) {
  return COMPRESSIBLE.test(headers.get("Content-Type") ?? "") && !headers.has("Content-Encoding");
}

async function send(given: Bytes | ByteStream, headers: Headers, encoding: Encoding | undefined) {
  if (!/\baccept-encoding\b/i.test(headers.get("Vary") ?? "")) headers.append("Vary", "Accept-Encoding");
  // A file may be long. Collecting it would fill the memory.
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

/**
 * Sets the encoding. Makes a backend's ETag weak: it identifies the original bytes, and the compressed ones are only
 * equivalent (RFC 9110, 8.8.1).
 */
function noteEncoding(headers: Headers, encoding: Encoding) {
  headers.set("Content-Encoding", encoding);
  const etag = headers.get("ETag");
  if (etag?.startsWith('"')) headers.set("ETag", `W/${etag}`);
}
