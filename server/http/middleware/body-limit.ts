import { bodyLimit as limitBody } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import type { MiddlewareHandler } from "hono/types";
import { AppError } from "../../errors.ts";
import { receiveBody } from "../handle-call.ts";
import { isApiPath, type HttpContext, type HttpEnv } from "../http-env.ts";
import { isRead } from "./only-read.ts";

const KIB = 1024;
/**
 * Larger than a list of members or a document that somebody sends by mistake. Most connections send this much in a few
 * seconds.
 */
const MAX_DISCARDED_BYTES = 8 * KIB * KIB;
/**
 * The usual limit: forms and API calls are small. What a node collected during a long outage is larger, and so is a
 * list of members.
 */
const USUAL = limitTo(64 * KIB);
const LARGER = new Map([
  ["/api/heartbeats", limitTo(128 * KIB)],
  ["/api/jobs/results", limitTo(256 * KIB)],
  ["/api/admin/completions", limitTo(256 * KIB)],
  ["/api/admin/completions/file", limitTo(256 * KIB)],
  ["/api/admin/whitelist", limitTo(256 * KIB)],
  ["/api/webhooks/campaign-completions", limitTo(256 * KIB)],
  // Forms. One may wait in a page until the administrator has entered the password, and is then sent again, encoded.
  ["/admin/completions", limitTo(1024 * KIB)],
  ...["tos", "pp"].flatMap((name): [string, ReturnType<typeof limitTo>][] => [
    [`/admin/legal/${name}`, limitTo(512 * KIB)],
    [`/api/admin/legal/${name}/draft`, limitTo(256 * KIB)],
  ]),
]);

/**
 * Refuses bodies over the limit: by their Content-Length or, without one, while they arrive. All others are read
 * completely before any handler runs: an action that stops in the middle of a form would respond with 500, and a slow
 * body would hold one of the few turns of its client, which may be the address of many.
 */
export function bodyLimit() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method, path } = c.req;
    if (isRead(method)) return next();
    return (LARGER.get(path) ?? USUAL)(c, async () => {
      // Hono keeps these bytes for the call. Pages read the request itself.
      if (isApiPath(path)) await receiveBody(() => c.req.arrayBuffer());
      else await receiveWhole(c);
      await next();
    });
  });
}

async function receiveWhole({ req }: HttpContext) {
  req.raw = new Request(req.raw, { method: req.method, body: await req.raw.arrayBuffer() });
}

function limitTo(maxSize: number): MiddlewareHandler<HttpEnv> {
  const limit = limitBody({
    maxSize,
    async onError(c) {
      // The rest of the body is not worth reading.
      const headers: Record<string, string> = (await discardBody(c)) ? {} : { Connection: "close" };
      throw new AppError("PAYLOAD_TOO_LARGE", `Send at most ${(maxSize / KIB).toLocaleString("de-DE")} kB.`, {
        headers,
      });
    },
  });
  // Hono looks at the body first, which makes a stream of it. Of a heartbeat, that is 7 % of the processor time.
  return (c, next) => (statesAtMost(maxSize, c) ? next() : limit(c, next));
}

/** Whether a request says how long its body is, and that is not over the limit. Node.js reads no further than that. */
function statesAtMost(maxSize: number, { req }: HttpContext): boolean {
  if (req.header("transfer-encoding") !== undefined) return false;
  return Number(req.header("content-length")) <= maxSize;
}

/**
 * Reads an oversized body to its end and discards it, unless it is far too large or has no length. Browsers and most
 * programs send the whole body before they read a response, and would otherwise report a reset connection. Returns
 * false if it did not read to the end, for example because the time for the request ran out.
 */
async function discardBody({ req }: Pick<HttpContext, "req">): Promise<boolean> {
  const { body } = req.raw;
  if (!body || body.locked) return false;
  if (Number(req.header("content-length")) > MAX_DISCARDED_BYTES) return false;
  return body.pipeTo(new WritableStream()).then(
    () => true,
    () => false,
  );
}
