/** The first wait and the longest, in milliseconds. */
const FIRST = 1000;
const LONGEST = 5 * 60_000;
/** The longest wait that a server can ask for: a brief mistake must not silence a node for a year. */
const LONGEST_RETRY_AFTER = 60 * 60_000;

/**
 * Returns how long to wait after so many failures in a row, in milliseconds. The wait doubles each time, and is random
 * between half of that and all of it, so that nodes that lost a server together do not come back together. It is never
 * shorter than the server asked for, up to an hour.
 */
export function chooseWait(failures: number, retryAfter: number | undefined, random: () => number): number {
  const ceiling = Math.min(LONGEST, FIRST * 2 ** (failures - 1));
  return Math.max(ceiling * (0.5 + random() / 2), Math.min((retryAfter ?? 0) * 1000, LONGEST_RETRY_AFTER));
}
