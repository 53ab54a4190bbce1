export type Random = ReturnType<typeof createRandom>;

/** Creates a generator (mulberry32) that gives the same numbers for the same seed. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  /** Returns a whole number from `min` to `max`, both included. */
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));

  return {
    integer,
    chance: (probability: number) => next() < probability,
    pick: <const T>(from: readonly [T, ...T[]]): T => from[integer(0, from.length - 1)] ?? from[0],
    /** Returns `count` different items, in random order. */
    sample<T>(from: readonly T[], count: number): T[] {
      const rest = [...from];
      return Array.from({ length: Math.min(count, rest.length) }, () =>
        rest.splice(integer(0, rest.length - 1), 1),
      ).flat();
    },
    hex: (digits: number) => Array.from({ length: digits }, () => integer(0, 15).toString(16)).join(""),
  };
}
