/** A lower bound for how far this browser's clock is ahead of the server's, in milliseconds. */
let ahead = -Infinity;
/** When the document began to load, by the browser's clock as it was set at the last reading. */
let began = -Infinity;

/**
 * Records that the server's clock showed `at` after this browser's clock had shown `asked`, both in milliseconds. The
 * shorter the time between the two, the better the estimate of the difference. The time at which the response arrived
 * does not count: the response may have been slow, and data that was read before other news must never pass for newer.
 */
export function compareClocks(at: number, asked: number): void {
  const before = began;
  began = readBeginning();
  // The clock has been set since then, or the machine has slept.
  if (Math.abs(began - before) > 1000) ahead = -Infinity;
  // The clock may have been put back while the response was on its way.
  ahead = Math.max(ahead, Math.min(asked, Date.now()) - at);
}

/**
 * When the document began to load, by the clock as it is set now. Setting the clock does not affect
 * `performance.now()`.
 */
const readBeginning = () => Date.now() - performance.now();

/**
 * Converts a time of the server's clock to this browser's clock, in milliseconds. The result is never later than the
 * true time.
 */
export function toBrowserTime(at: number): number {
  compareClocks(at, readBeginning());
  return at + ahead;
}

/** Returns the current time of the server's clock, in milliseconds. */
export const readServerTime = (): number => Date.now() - (Number.isFinite(ahead) ? ahead : 0);
