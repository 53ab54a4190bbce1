import { AppError } from "../errors.ts";
import type { LimitRule } from "./rules.ts";
import { formatCount } from "../format-count.ts";

/** Takes one attempt from a limit. Returns 0, or the seconds to wait if nothing is left. */
export type Attempt = (rule: LimitRule, subject: string) => Promise<number>;

export type Taking = ReturnType<typeof createTaking>;

/** Creates the two ways to take from a limit. */
export function createTaking(attempt: Attempt) {
  return {
    /** Takes one attempt from a limit. Returns whether anything was left. */
    tryTake: async (rule: LimitRule, subject: string) => (await attempt(rule, subject)) === 0,
    /** Takes one attempt from a limit. Throws TOO_MANY_ATTEMPTS with the time to retry if nothing is left. */
    take: async (rule: LimitRule, subject: string) => {
      const retryAfter = await attempt(rule, subject);
      if (retryAfter === 0) return;
      const message = `Too many attempts. Please try again in ${describeWait(retryAfter)}.`;
      throw new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter });
    },
  };
}

/** Returns how many seconds (whole, at least 1) until a limit that is full again at `freeAt` lets one more through. */
export function secondsUntilOne({ burst, seconds }: LimitRule, freeAt: Date, now: Date) {
  const wait = (freeAt.getTime() - now.getTime()) / 1000 - (burst - 1) * seconds;
  return Math.max(1, Math.ceil(wait));
}

/** Describes a wait: in seconds below two minutes, and in minutes otherwise. */
export function describeWait(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return formatCount(seconds, "second");
}
