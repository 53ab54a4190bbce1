import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { setAndEvictOldest } from "../set-and-evict-oldest.ts";
import { createTaking, secondsUntilOne, type Attempt, type Taking } from "./taking.ts";

/** How many limits to keep. The least recently used are dropped first. */
const MAX_ENTRIES = 10_000;

type MemoryOptions = { now: () => Date };

/** Creates the same limits in memory, for a process without a database. Each process counts separately. */
export const createMemoryLimiter = (options: MemoryOptions, kept = MAX_ENTRIES): Taking =>
  createTaking(createMemoryAttempt(options, kept));

/** Creates the attempts at such limits. */
export function createMemoryAttempt({ now }: MemoryOptions, kept = MAX_ENTRIES): Attempt {
  const freeAts = new Map<string, number>();

  return async (rule, subject) => {
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
  };
}
