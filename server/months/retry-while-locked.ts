import { setTimeout as wait } from "node:timers/promises";
import { isLockedOut } from "../db/unavailable.ts";
import { AppError } from "../errors.ts";

/** How many attempts to make, with growing pauses: about two minutes in all. */
const ATTEMPTS = 60;

/** Retries while others hold a lock that the work needs. Throws CONFLICT if they hold it for too long. */
export async function retryWhileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockedOut(error)) throw error;
      if (attempt === ATTEMPTS) {
        throw new AppError("CONFLICT", "The database is too busy right now. Run it again: it continues from here.", {
          cause: error,
        });
      }
      await wait(Math.min(100 * attempt, 2_000));
    }
  }
}
