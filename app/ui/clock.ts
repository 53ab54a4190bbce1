/** Milliseconds that this browser's clock is ahead of the server's, at the least. */
let ahead = -Infinity;
/** When the document began, by the clock as it was set at the last look. */
let began = -Infinity;

/**
 * Notes that the server's clock showed `at` after this browser's had shown `asked`, in milliseconds. The less time
 * between the two, the better they tell how the clocks differ. When the answer came says nothing: it may have been long
 * on its way, and what was read before other news must never pass for newer than them.
 */
export function compareClocks(at: number, asked: number): void {
  const before = began;
  began = readBeginning();
  // The clock was set since then, or the machine has slept.
  if (Math.abs(began - before) > 1000) ahead = -Infinity;
  // The clock may have been put back while the answer was on its way.
  ahead = Math.max(ahead, Math.min(asked, Date.now()) - at);
}

/** `performance.now()` goes on whatever the clock is set to. */
const readBeginning = () => Date.now() - performance.now();

/** What this browser's clock showed when the server's showed `at`, in milliseconds, at the least. */
export function toOwnTime(at: number): number {
  compareClocks(at, readBeginning());
  return at + ahead;
}

/** What the server's clock shows, in milliseconds. */
export const readServerTime = (): number => Date.now() - (Number.isFinite(ahead) ? ahead : 0);
