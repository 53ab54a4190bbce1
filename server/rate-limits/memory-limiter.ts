import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { setAndEvictOldest } from "../set-and-evict-oldest.ts";
import { createTaking, secondsUntilOne, type RateLimiter } from "./rate-limiter.ts";
import type { LimitRule } from "./rules.ts";

/** How many limits to keep. The least recently used are dropped first. */
const KEPT = 10_000;

/** Creates the same limits in memory, for a process without a database. Each process counts separately. */
export function createMemoryLimiter({ now }: { now: () => Date }, kept = KEPT): Pick<RateLimiter, "take" | "tryTake"> {
  const freeAts = new Map<string, number>();

  return createTaking(async (rule: LimitRule, subject) => {
    const { burst, name, seconds } = rule;
    const key = `${name}\0${subject}`;
    const at = now().getTime();
    const freeAt = freeAts.get(key) ?? at;
    const last = at + burst * seconds * 1000;
    // It was written by a clock that was ahead (see queries.ts).
    const isAhead = freeAt > last + MAX_CLOCK_SKEW_MS;
    const next = isAhead ? last : Math.max(freeAt, at) + seconds * 1000;
    if (next > last) return secondsUntilOne(rule, new Date(freeAt), now());
    setAndEvictOldest(freeAts, key, next, kept);
    return 0;
  });
}
