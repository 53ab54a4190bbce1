import { createMiddleware } from "hono/factory";
import { AppError } from "../errors.ts";
import { clientCaller } from "../fair-share/caller.ts";
import { createFairQueue } from "../fair-share/fair-queue.ts";
import type { HttpEnv } from "./http-env.ts";

/** Of one client's: as many as a browser has open, with what they ask for. */
const WAITING = 100;

/** Lets so many pages of one client be made at once; the others wait, and too many are told to come back. */
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
  return createMiddleware<HttpEnv>((c, next) => turns.run(clientCaller(c.get("clientAddress")), next));
}
