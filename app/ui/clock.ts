/**
 * Milliseconds that this browser's clock is ahead of the server's, where the page knows. The quickest answer tells it
 * best, since each takes a while, too.
 */
let ahead: number | undefined;
/** How far it is ahead of `performance.now()`, which nobody can set. */
let aheadOfSteady = 0;

/** What this browser's clock showed when the server's showed `at`, in milliseconds; for what has just come from there. */
export function toOwnTime(at: number): number {
  const now = Date.now();
  const before = aheadOfSteady;
  aheadOfSteady = now - performance.now();
  // The clock was set since then, or the machine has slept.
  if (Math.abs(aheadOfSteady - before) > 1000) ahead = undefined;
  ahead = Math.min(ahead ?? Infinity, now - at);
  return at + ahead;
}

/** What the server's clock shows, in milliseconds. */
export const readServerTime = (): number => Date.now() - (ahead ?? 0);
