import type { Db, Tx } from "../db/client.ts";
import { CLOCKS_APART } from "../db/clock.ts";
import { AppError } from "../errors.ts";
import { keepNewest } from "../keep-newest.ts";
import { deriveKeys, sign, type Secrets } from "../secrets/secrets.ts";
import { readFreeAt, releaseLimit, takeFromLimit } from "./queries.ts";
import type { LimitRule } from "./rules.ts";

export type RateLimiter = ReturnType<typeof createRateLimiter>;

type LimiterOptions = { db: Db; now: () => Date; secrets: Secrets };

/**
 * Counts what is limited, for all processes together; `subject` is whom or what a rule counts by. The generic cell
 * rate algorithm (ITU-T I.371): one instant a key says all, and one statement decides, whichever process asks. Keys are
 * hashes with a key that is not in the database: there are few enough addresses to try them all. With another secret
 * each limit begins anew.
 */
export function createRateLimiter({ db, now, secrets }: LimiterOptions) {
  const [secret] = deriveKeys(secrets, "limits");
  const keyOf = ({ name }: LimitRule, subject: string) => sign(secret, `${name}\0${subject}`);
  const refusals = createRefusals();

  function countIn(counted: Db | Tx) {
    /** Seconds to wait; 0 when one was taken. */
    async function attempt(rule: LimitRule, subject: string): Promise<number> {
      const key = keyOf(rule, subject);
      const known = refusals.secondsLeft(rule, key, now());
      if (known > 0) return known;
      if (await takeFromLimit(counted, { ...rule, key, now: now() })) return 0;
      const wait = secondsUntilOne(rule, (await readFreeAt(counted, key)) ?? now(), now());
      if (rule.isRemembered) refusals.remember(key, new Date(now().getTime() + wait * 1000));
      return wait;
    }
    return createTaking(attempt);
  }

  return {
    ...countIn(db),
    /** The same limits, as a part of a transaction: what it takes is given back should it fail. */
    within: (tx: Db | Tx) => countIn(tx),
    /** Gives all of a limit back: what was tried has succeeded. */
    release: (rule: LimitRule, subject: string) => releaseLimit(db, keyOf(rule, subject)),
  };
}

/** The two ways to take from a limit. `attempt` tells the seconds to wait; 0 when one was taken. */
export function createTaking(attempt: (rule: LimitRule, subject: string) => Promise<number>) {
  return {
    /** Takes one from a limit, if something is left of it. */
    tryTake: async (rule: LimitRule, subject: string) => (await attempt(rule, subject)) === 0,
    /** Takes one from a limit. Throws TOO_MANY_ATTEMPTS, with when to try again, where nothing is left. */
    async take(rule: LimitRule, subject: string) {
      const retryAfter = await attempt(rule, subject);
      if (retryAfter === 0) return;
      const message = `Too many attempts. Please try again in ${describeWait(retryAfter)}.`;
      throw new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter });
    },
  };
}

/** Refusals that are remembered. */
const KEPT = 10_000;

/** Until when keys are surely refused: nothing but time gives them anything back. */
function createRefusals() {
  const untils = new Map<string, Date>();
  return {
    /** None where it would be more than anybody waits for one: then the clock was put back since. */
    secondsLeft({ seconds }: LimitRule, key: Buffer, now: Date): number {
      const until = untils.get(key.toString("hex"));
      const left = until ? Math.ceil((until.getTime() - now.getTime()) / 1000) : 0;
      return left > seconds + CLOCKS_APART / 1000 ? 0 : Math.max(0, left);
    },
    remember(key: Buffer, until: Date) {
      keepNewest(untils, key.toString("hex"), until, KEPT);
    },
  };
}

/** Whole seconds, one at least, until a limit that is whole again at `freeAt` lets one more through. */
export function secondsUntilOne({ burst, seconds }: LimitRule, freeAt: Date, now: Date) {
  const wait = (freeAt.getTime() - now.getTime()) / 1000 - (burst - 1) * seconds;
  return Math.max(1, Math.ceil(wait));
}

/** In words: in seconds below two minutes, else in minutes. */
export function describeWait(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
