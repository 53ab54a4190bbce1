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
  const kept = new Map<string, { answer: Promise<Value>; until: number }>();

  return function get(key: string, ask: () => Promise<Value>): Promise<Value> {
    const known = kept.get(key);
    if (known && now().getTime() < known.until) return known.answer;
    const entry = { answer: ask(), until: Infinity };
    const keep = (milliseconds: number) => void (entry.until = now().getTime() + milliseconds);
    entry.answer.then(
      () => keep(fresh),
      () => keep(failed),
    );
    kept.delete(key);
    kept.set(key, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= limit) break;
      kept.delete(oldest);
    }
    return entry.answer;
  };
}
