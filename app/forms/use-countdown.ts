import { useLayoutEffect, useState } from "react";

/** Twice a second, so that no second is skipped. */
const TICK_MS = 500;

/**
 * Returns the whole seconds left until `duration` after `timestamp` (both in milliseconds). It counts by the reader's
 * clock, however wrong that is, and starts at `duration` at most. Null until hydration, because the server does not
 * look at a clock.
 */
export function useCountdown({ timestamp, duration }: { timestamp: number; duration: number }): number | null {
  const [left, setLeft] = useState<number | null>(null);
  // Runs before the next paint, so that a reader with scripts sees seconds at once, and no time of day first.
  useLayoutEffect(() => {
    let end = timestamp + duration;
    let rest = duration;
    const tick = () => {
      const now = Date.now();
      // Never more time left than a moment ago, even if the clock is put back meanwhile.
      end = Math.min(end, now + rest);
      rest = end - now;
      setLeft(Math.max(0, Math.ceil(rest / 1000)));
    };
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [timestamp, duration]);
  return left;
}

/** `0:42`, `12:05` */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
