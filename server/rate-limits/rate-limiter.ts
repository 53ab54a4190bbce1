import type { Db, Tx } from "../db/client.ts";
import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { findErrorCode, READ_ONLY } from "../db/unavailable.ts";
import { setAndEvictOldest } from "../set-and-evict-oldest.ts";
import { deriveKeys, sign, type Secrets } from "../secrets/secrets.ts";
import { createMemoryAttempt } from "./memory-limiter.ts";
import { readFreeAt, releaseLimit, takeFromLimit } from "./queries.ts";
import type { LimitRule } from "./rules.ts";
import { createTaking, secondsUntilOne } from "./taking.ts";

export type RateLimiter = ReturnType<typeof createRateLimiter>;

type LimiterOptions = { db: Db; now: () => Date; secrets: Secrets };

/**
 * Creates the rate limiter, which counts for all processes together. `subject` is whom or what a rule counts by. Uses
 * the generic cell rate algorithm (ITU-T I.371): each key only needs one timestamp, and one statement decides,
 * whichever process runs it. Keys are hashed with a secret that is not in the database, because there are few enough
 * addresses to try them all. With another secret, all limits start over.
 */
export function createRateLimiter({ db, now, secrets }: LimiterOptions) {
  const [secret] = deriveKeys(secrets, "limits");
  const keyOf = ({ name }: LimitRule, subject: string) => sign(secret, `${name}\0${subject}`);
  const refusals = createRefusals();
  const attemptInMemory = createMemoryAttempt({ now });

  function countIn(counted: Db | Tx) {
    /** Takes one attempt from a limit. Returns 0, or the seconds to wait if nothing is left. */
    async function attempt(rule: LimitRule, subject: string): Promise<number> {
      const key = keyOf(rule, subject);
      const known = refusals.secondsLeft(rule, key, now());
      if (known > 0) return known;
      try {
        if (await takeFromLimit(counted, { ...rule, key, now: now() })) return 0;
      } catch (error) {
        // Members can still read then.
        if (rule.guardsReads && findErrorCode(error) === READ_ONLY) return attemptInMemory(rule, subject);
        throw error;
      }
      const wait = secondsUntilOne(rule, (await readFreeAt(counted, key)) ?? now(), now());
      if (rule.isRemembered) refusals.remember(key, new Date(now().getTime() + wait * 1000));
      return wait;
    }
    return createTaking(attempt);
  }

  return {
    ...countIn(db),
    /** Counts the same limits within a transaction. If it rolls back, nothing has been taken. */
    within: (tx: Db | Tx) => countIn(tx),
    /** Resets a limit after an attempt that succeeded. */
    release: (rule: LimitRule, subject: string) => releaseLimit(db, keyOf(rule, subject)),
  };
}

/** How many refusals to remember. */
const MAX_ENTRIES = 10_000;

/** Remembers until when keys are certainly refused: these limits only recover with time. */
function createRefusals() {
  const untils = new Map<string, Date>();
  return {
    /** Returns 0 if more time is left than anybody has to wait for one attempt: the clock has been set back since. */
    secondsLeft({ seconds }: LimitRule, key: Buffer, now: Date): number {
      const until = untils.get(key.toString("hex"));
      const left = until ? Math.ceil((until.getTime() - now.getTime()) / 1000) : 0;
      return left > seconds + MAX_CLOCK_SKEW_MS / 1000 ? 0 : Math.max(0, left);
    },
    remember(key: Buffer, until: Date) {
      setAndEvictOldest(untils, key.toString("hex"), until, MAX_ENTRIES);
    },
  };
}
