/** Milliseconds between two looks. */
const EVERY = 20;

/**
 * Follows how far the event loop is behind: tells the milliseconds that its last turn took too long, or the present one
 * does already. The histogram of `monitorEventLoopDelay` knows a turn only once it is over.
 */
export function followLag(now: () => number = () => performance.now()): () => number {
  let looked = now();
  let last = 0;
  const behind = () => Math.max(0, now() - looked - EVERY);
  setInterval(() => {
    last = behind();
    looked = now();
  }, EVERY).unref();
  return () => Math.max(last, behind());
}
