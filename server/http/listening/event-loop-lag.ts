/** Milliseconds between two looks. */
const EVERY = 20;

/**
 * Follows how far the event loop is behind: tells the milliseconds that its last turn took too long, or the present one
 * does already. The histogram of `monitorEventLoopDelay` knows a turn only once it is over.
 */
export function followLag(): () => number {
  let looked = performance.now();
  let last = 0;
  const behind = () => Math.max(0, performance.now() - looked - EVERY);
  setInterval(() => {
    last = behind();
    looked = performance.now();
  }, EVERY).unref();
  return () => Math.max(last, behind());
}
