import { AppError } from "../errors.ts";
import { createFairQueue } from "./fair-queue.ts";

/** Seconds after which a batch that was under way is surely done. */
const RETRY_AFTER = 2;

/**
 * For what nodes send in batches: one of a member's at a time, and those of all their machines that wait for it. One
 * after the other, they leave the database to others most of the time.
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
