import { createMiddleware } from "hono/factory";
import { AppError } from "../errors.ts";
import { clientCaller } from "../fair-share/caller.ts";
import { createFairQueue } from "../fair-share/fair-queue.ts";
import type { HttpEnv } from "./http-env.ts";

/** Of one client's: as many as a browser has open, with what they ask for. */
const WAITING = 100;

/** Milliseconds of a page that is cheap, and for which a turn rests at most. */
const CHEAP = 10;
const LONGEST_REST = 100;

/**
 * Lets so many pages of one client be made at once; the others wait, and too many are told to come back. A page is made
 * in pieces that hold the processor, and others' pages wait for each piece: a turn that cost something rests for twice as
 * long, which leaves them more than half of it.
 */
export function pageTurn(ofOneClient: number) {
  const turns = createFairQueue({
    atOnce: Infinity,
    perCaller: ofOneClient,
    waiting: WAITING,
    refuse: () =>
      new AppError("TOO_MANY_ATTEMPTS", "Too many pages are asked for at once. Please try again in a moment.", {
        retryAfter: 2,
      }),
  });
  return createMiddleware<HttpEnv>(async (c, next) => {
    const end = await turns.enter(clientCaller(c.get("clientAddress")));
    const begun = performance.now();
    try {
      await next();
    } finally {
      const took = performance.now() - begun;
      if (took < CHEAP) end();
      else setTimeout(end, Math.min(2 * took, LONGEST_REST)).unref();
    }
  });
}
