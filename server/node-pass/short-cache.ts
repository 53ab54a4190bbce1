import { setAndEvictOldest } from "../set-and-evict-oldest.ts";

type CacheRules = {
  now: () => Date;
  /** How long to keep an answer, and a failure, in milliseconds. */
  fresh: number;
  failed: number;
  /** How many answers to keep. The oldest go first. */
  limit: number;
};

/** Creates a cache that keeps answers for a while, failures too. Asks once for all who ask at the same time. */
export function createShortCache<Value>({ failed, fresh, limit, now }: CacheRules) {
  const entries = new Map<string, { answer: Promise<Value>; at: number; good: number }>();

  return function get(key: string, ask: () => Promise<Value>): Promise<Value> {
    const cached = entries.get(key);
    // The clock may have been set back since then.
    if (cached && Math.abs(now().getTime() - cached.at) < cached.good) return cached.answer;
    const entry = { answer: ask(), at: 0, good: Infinity };
    const settle = (good: number) => void Object.assign(entry, { at: now().getTime(), good });
    entry.answer.then(
      () => settle(fresh),
      () => settle(failed),
    );
    setAndEvictOldest(entries, key, entry, limit);
    return entry.answer;
  };
}
