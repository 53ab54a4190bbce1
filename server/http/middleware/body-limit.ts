import { bodyLimit as limitBody } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import { isApiPath, type HttpContext, type HttpEnv } from "../http-env.ts";
import { isRead } from "./only-read.ts";

const KIB = 1024;
/** More than a list of members or a document that somebody sends by mistake, and what most lines send in a few seconds. */
const MOST_READ_AWAY = 8 * KIB * KIB;
/** Forms and API calls are small; what a node has kept through a long outage is not, nor is a list of members. */
const USUAL = limitTo(64 * KIB);
const LARGER = new Map([
  ["/api/heartbeats", limitTo(128 * KIB)],
  ["/api/jobs/results", limitTo(256 * KIB)],
  ["/api/admin/completions", limitTo(256 * KIB)],
  ["/api/admin/completions/file", limitTo(256 * KIB)],
  ["/api/admin/whitelist", limitTo(256 * KIB)],
  ["/api/webhooks/campaign-completions", limitTo(256 * KIB)],
  // Forms, which may have to wait for a password in a page and are sent once more, encoded.
  ["/admin/completions", limitTo(1024 * KIB)],
  ...["tos", "pp"].flatMap((name): [string, ReturnType<typeof limitTo>][] => [
    [`/admin/legal/${name}`, limitTo(512 * KIB)],
    [`/api/admin/legal/${name}/draft`, limitTo(256 * KIB)],
  ]),
]);

/**
 * Refuses bodies over the limit, by their Content-Length or, where there is none, while they arrive: then they are read
 * whole before any handler, since an action that stops in the middle of a form would answer 500. Forms are in any case:
 * one that comes slowly would hold one of the few turns that its client's pages have.
 */
export function bodyLimit() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method, path } = c.req;
    if (isRead(method)) return next();
    return (LARGER.get(path) ?? USUAL)(c, async () => {
      if (!isApiPath(path)) await receiveWhole(c);
      await next();
    });
  });
}

async function receiveWhole({ req }: HttpContext) {
  req.raw = new Request(req.raw, { method: req.method, body: await req.raw.arrayBuffer() });
}

function limitTo(maxSize: number) {
  return limitBody({
    maxSize,
    async onError(c) {
      // Whatever is still on its way is not worth reading.
      const headers: Record<string, string> = (await readAway(c)) ? {} : { Connection: "close" };
      throw new AppError("PAYLOAD_TOO_LARGE", `Send at most ${(maxSize / KIB).toLocaleString("de-DE")} kB.`, {
        headers,
      });
    },
  });
}

/**
 * Reads a form that is too large to its end, unless it is far too large or came without a length, and keeps nothing of
 * it: browsers send all of it before they read an answer, and would say that the connection was reset. False where it
 * did not, as when the time for a request ran out.
 */
async function readAway({ req }: Pick<HttpContext, "req">): Promise<boolean> {
  const { body } = req.raw;
  if (isApiPath(req.path) || !body || body.locked) return false;
  if (Number(req.header("content-length")) > MOST_READ_AWAY) return false;
  return body.pipeTo(new WritableStream()).then(
    () => true,
    () => false,
  );
}
