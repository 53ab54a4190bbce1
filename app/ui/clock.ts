/**
 * Milliseconds that this browser's clock is ahead of the server's, where the page knows: nobody sets it right. The quickest
 * answer tells it best, since each takes a while, too.
 */
let ahead: number | undefined;

/** What this browser's clock showed when the server's showed `at`, in milliseconds; for what has just come from there. */
export function toOwnTime(at: number): number {
  ahead = Math.min(ahead ?? Infinity, Date.now() - at);
  return at + ahead;
}

/** What the server's clock shows, in milliseconds. */
export const readServerTime = (): number => Date.now() - (ahead ?? 0);
