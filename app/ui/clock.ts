/** Milliseconds that this browser's clock is ahead of the server's, at the least. */
let ahead = -Infinity;
/** When the document began, by the clock as it was set at the last look. */
let began = -Infinity;

/**
 * Notes that the server's clock showed `at` after this browser's had shown `asked`, in milliseconds. Of all answers the one
 * that was asked for last before the server read it tells best how the clocks differ. It goes by the asking, since an answer
 * may be long on its way: what was read before something else came must never pass for newer than that.
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
