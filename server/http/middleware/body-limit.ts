import { createMiddleware } from "hono/factory";
import { respondWithError } from "../error-response.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";

const KIB = 1024;
/** Forms and API calls are small; what a node has kept through a long outage is not. */
const LIMITS: Record<string, number> = { "/api/heartbeats": 128 * KIB, "/api/jobs/results": 256 * KIB };
const DEFAULT_LIMIT = 64 * KIB;

/** Refuses bodies over the limit, by their Content-Length or, where there is none, while they arrive. */
export function bodyLimit() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method, path } = c.req;
    if (method === "GET" || method === "HEAD") return next();
    const limit = LIMITS[path] ?? DEFAULT_LIMIT;
    const length = c.req.header("content-length");
    if (length !== undefined) return Number(length) > limit ? refuse(c, limit) : next();
    // HTTP/1.1: without either there is no body.
    if (c.env?.incoming && !c.req.header("transfer-encoding")) return next();

    // Read whole before any handler: an action that stops in the middle of a form would answer 500.
    const body = await readUpTo(limit, c.req.raw.body);
    if (!body) return refuse(c, limit);
    // Also without a byte: what has been read cannot be read again.
    c.req.raw = new Request(c.req.raw, { method, body });
    return next();
  });
}

async function readUpTo(limit: number, stream: ReadableStream<Uint8Array> | null) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuse(c: HttpContext, limit: number) {
  return respondWithError(c, {
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
    message: `Send at most ${limit / KIB} kB.`,
    // The rest of the body is still on its way: it is not worth reading.
    headers: { Connection: "close" },
  });
}
