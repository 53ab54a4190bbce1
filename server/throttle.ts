/** Milliseconds between two progress messages. */
const PROGRESS_INTERVAL = 1_000;
/** Milliseconds between two log lines about a failure that goes on. An outage may last for days. */
export const LOG_INTERVAL = 60_000;

/** Returns a function that passes on the first message, and then at most one per interval (in milliseconds). */
export function throttle<Word>(call: (word: Word) => void, every = PROGRESS_INTERVAL) {
  let last = -Infinity;
  return (word: Word) => {
    const now = performance.now();
    if (now - last < every) return;
    last = now;
    call(word);
  };
}
