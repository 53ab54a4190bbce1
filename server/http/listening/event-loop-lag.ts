/** Milliseconds between two measurements. */
const EVERY = 20;

/**
 * Starts to measure how far the event loop is behind. The returned function gives the delay of the last turn or, if
 * that is longer, of the current one, in milliseconds. The histogram of `monitorEventLoopDelay` only includes a turn
 * once it is over.
 */
export function measureLag(now: () => number = () => performance.now()): () => number {
  let checkedAt = now();
  let last = 0;
  const behind = () => Math.max(0, now() - checkedAt - EVERY);
  setInterval(() => {
    last = behind();
    checkedAt = now();
  }, EVERY).unref();
  return () => Math.max(last, behind());
}
