/** Milliseconds of the first wait, and of the longest. */
const FIRST = 1000;
const LONGEST = 5 * 60_000;
/** What is waited at most because the server asked: a mistake of a moment is not to silence a node for a year. */
const LONGEST_ASKED = 60 * 60_000;

/**
 * How long to wait after so many failures in a row: twice as long each time, and at random between half of that and
 * all of it, so that nodes that lost a server together do not come back together. Never sooner than the server asked,
 * if that is an hour at most.
 */
export function chooseWait(failures: number, retryAfter: number | undefined, random: () => number): number {
  const ceiling = Math.min(LONGEST, FIRST * 2 ** (failures - 1));
  return Math.max(ceiling * (0.5 + random() / 2), Math.min((retryAfter ?? 0) * 1000, LONGEST_ASKED));
}
