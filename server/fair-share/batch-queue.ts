import { AppError } from "../errors.ts";
import { createFairQueue } from "./fair-queue.ts";

/** Seconds after which a running batch is certainly done. */
const RETRY_AFTER = 2;

/**
 * Creates the queue for batches that nodes send. Only one batch of a member runs at once, whichever of their machines
 * sent it. Batches rest in between, so that a member leaves the database to others most of the time.
 */
export const createBatchQueue = () =>
  createFairQueue({
    atOnce: 4,
    perCaller: 1,
    waiting: 50,
    rests: true,
    refuse: () =>
      new AppError("TOO_MANY_ATTEMPTS", "Your earlier batches are still being counted. Please send one at a time.", {
        retryAfter: RETRY_AFTER,
      }),
  });
