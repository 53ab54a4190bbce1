import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import { clientCaller } from "../../fair-share/caller.ts";
import { createFairQueue } from "../../fair-share/fair-queue.ts";
import { restOf } from "../../fair-share/rest.ts";
import type { HttpEnv } from "../http-env.ts";
import { limitKeyOf } from "../client.ts";
import { isRead } from "./only-read.ts";

/** Of one client's: as many as a browser has open, with what they ask for; many people's nodes may share an address. */
const WAITING = 1000;
/** Milliseconds for which a turn rests after a refusal. */
const REST_AFTER_REFUSAL = 250;

/**
 * Lets so many requests of one client be worked on at once. The others wait, and those beyond that are told to come
 * back. Each request holds the processor for moments in which all others wait. So a turn rests after a refusal: a
 * client that is refused again and again costs others little. With `rests`, a turn also rests after work that cost
 * something, for three times as long as that took, half a second at most.
 */
export function clientTurn(atOnce: number, { rests = false } = {}) {
  const turns = createFairQueue({
    atOnce: Infinity,
    perCaller: atOnce,
    waiting: WAITING,
    refuse: () =>
      new AppError("TOO_MANY_ATTEMPTS", "You are sending too many requests at once. Please try again in a moment.", {
        retryAfter: 2,
      }),
  });
  return createMiddleware<HttpEnv>(async (c, next) => {
    const end = await turns.enter(clientCaller(limitKeyOf(c.get("clientAddress"))));
    // Who loads a page again and again has left those before: made all the same, they would hold up the last one.
    // A form or a call that has come is worked on all the same.
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
