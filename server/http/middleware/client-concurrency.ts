import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import { clientCaller } from "../../fair-share/caller.ts";
import { createFairQueue } from "../../fair-share/fair-queue.ts";
import { restOf } from "../../fair-share/rest.ts";
import type { HttpEnv } from "../http-env.ts";
import { limitKeyOf } from "../client.ts";
import { isRead } from "./only-read.ts";

/**
 * How many requests of one client may wait: all open pages of a browser with their requests, or the nodes of many
 * people who share an address.
 */
const WAITING = 1000;
/** How long a turn rests after a refusal, in milliseconds. */
const REST_AFTER_REFUSAL = 250;

/**
 * Runs at most `atOnce` requests of one client at once. Further requests wait, and those beyond WAITING are refused
 * with a time to retry. Each request holds the processor for moments in which all others wait, so a turn rests after a
 * refusal: a client that is refused again and again costs others little. With `rests`, a turn also rests after
 * expensive work, for three times as long as the work took, but at most half a second.
 */
export function limitClientConcurrency(atOnce: number, { rests = false } = {}) {
  const queue = createFairQueue({
    atOnce: Infinity,
    perCaller: atOnce,
    waiting: WAITING,
    refuse: () =>
      new AppError("TOO_MANY_ATTEMPTS", "You are sending too many requests at once. Please try again in a moment.", {
        retryAfter: 2,
      }),
  });
  return createMiddleware<HttpEnv>(async (c, next) => {
    const end = await queue.enter(clientCaller(limitKeyOf(c.get("clientAddress"))));
    // A visitor who reloads a page again and again has left the earlier ones. Rendering them anyway would hold up the
    // last one. A form or call that has arrived is processed anyway.
    if (isRead(c.req.method) && c.req.raw.signal.aborted) {
      end();
      throw new AppError("BAD_REQUEST", "Whoever asked has left.");
    }
    const begun = performance.now();
    try {
      await next();
    } finally {
      const took = rests ? performance.now() - begun : 0;
      end(c.res.status >= 400 ? REST_AFTER_REFUSAL : restOf(took));
    }
  });
}
