import { createHash } from "node:crypto";
import type { Db, Tx } from "../db/client.ts";
import { AppError } from "../errors.ts";
import { deleteUnusedLimits, readFreeAt, releaseLimit, takeFromLimit } from "./queries.ts";
import type { LimitRule } from "./rules.ts";

/** Counts what is limited, for all processes together. `subject` is whom or what a rule counts by. */
export type RateLimiter = {
  /** Takes one from a limit. Throws TOO_MANY_ATTEMPTS, with when to try again, where nothing is left. */
  take(rule: LimitRule, subject: string): Promise<void>;
  /** Takes one from a limit, if something is left of it. */
  tryTake(rule: LimitRule, subject: string): Promise<boolean>;
  /** Gives all of a limit back: what was tried has succeeded. */
  release(rule: LimitRule, subject: string): Promise<void>;
};

/**
 * The generic cell rate algorithm (ITU-T I.371): one instant a key says all, and one statement decides, whichever
 * process asks. Keys are hashes, so that the table holds no addresses.
 */
export function createRateLimiter({ db, now }: { db: Db | Tx; now: () => Date }): RateLimiter {
  async function tryTake(rule: LimitRule, subject: string) {
    return takeFromLimit(db, { ...rule, key: keyOf(rule, subject), now: now() });
  }

  return {
    tryTake,
    async take(rule, subject) {
      if (await tryTake(rule, subject)) return;
      const freeAt = await readFreeAt(db, keyOf(rule, subject));
      const retryAfter = secondsUntilOne(rule, freeAt ?? now(), now());
      const message = `Too many attempts. Please try again in ${describeWait(retryAfter)}.`;
      throw new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter });
    },
    release: (rule, subject) => releaseLimit(db, keyOf(rule, subject)),
  };
}

const keyOf = ({ name }: LimitRule, subject: string) => createHash("sha256").update(`${name}\0${subject}`).digest();

function secondsUntilOne({ burst, seconds }: LimitRule, freeAt: Date, now: Date) {
  const wait = (freeAt.getTime() - now.getTime()) / 1000 - (burst - 1) * seconds;
  return Math.max(1, Math.ceil(wait));
}

const PRUNE_LIMIT = 5000;

/** Forgets limits of which nothing is used up, a bounded number; returns how many. */
export const pruneLimits = ({ db, now }: { db: Db; now: () => Date }): Promise<number> =>
  deleteUnusedLimits(db, { before: now(), limit: PRUNE_LIMIT });

/** In words: in seconds below two minutes, else in minutes. */
export function describeWait(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
