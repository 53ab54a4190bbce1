import { AppError } from "../errors.ts";
import { createFairQueue } from "./fair-queue.ts";
import { endAfter, restOf } from "./rest.ts";

/** Seconds after which a batch that was under way is surely done. */
const RETRY_AFTER = 2;

/** Batches that are counted at once, of everybody. */
const AT_ONCE = 4;
/** A member's batches that may wait. */
const WAITING = 50;

/**
 * For what nodes send in batches: one of a member's at a time, and those of all their machines that wait for it. After
 * each of them the member's turn rests, so that one batch after the other leaves the database to others most of the time.
 */
export function createBatchQueue() {
  const refuse = () =>
    new AppError("TOO_MANY_ATTEMPTS", "Your batches before are still being counted. Please send one at a time.", {
      retryAfter: RETRY_AFTER,
    });
  const ofEach = createFairQueue({ atOnce: Infinity, perCaller: 1, waiting: WAITING, refuse });
  // Who rests holds up nobody else here.
  // Who rests holds up nobody else here, and nobody is refused.
  const ofAll = createFairQueue({ atOnce: AT_ONCE, perCaller: 1, waiting: Infinity, refuse });

  async function run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const end = await ofEach.enter(userId);
    const leave = await ofAll.enter(userId);
    const begun = performance.now();
    try {
      return await work();
    } finally {
      leave();
      endAfter(restOf(performance.now() - begun), end);
    }
  }
  return { run };
}
