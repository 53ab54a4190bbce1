import { keepNewest } from "../keep-newest.ts";

type CacheRules = {
  now: () => Date;
  /** Milliseconds that an answer is kept, and a failure. */
  fresh: number;
  failed: number;
  /** Answers that are kept at most; the oldest go. */
  limit: number;
};

/** Keeps answers for a while, failures too, and asks once for all who ask at the same time. */
export function createShortCache<Value>({ failed, fresh, limit, now }: CacheRules) {
  const kept = new Map<string, { answer: Promise<Value>; at: number; good: number }>();

  return function get(key: string, ask: () => Promise<Value>): Promise<Value> {
    const known = kept.get(key);
    // The clock may have been put back since.
    if (known && Math.abs(now().getTime() - known.at) < known.good) return known.answer;
    const entry = { answer: ask(), at: 0, good: Infinity };
    const keep = (good: number) => void Object.assign(entry, { at: now().getTime(), good });
    entry.answer.then(
      () => keep(fresh),
      () => keep(failed),
    );
    keepNewest(kept, key, entry, limit);
    return entry.answer;
  };
}
