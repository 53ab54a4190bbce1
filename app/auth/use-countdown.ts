import { useSyncExternalStore } from "react";

/** Twice a second, so that no second is skipped. */
const TICK_MS = 500;

function watchClock(onTick: () => void) {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
}

/**
 * Whole seconds until `duration` after `timestamp` (both in milliseconds) by the reader's clock, and never more than
 * `duration`, however wrong that clock is. Null until the page is interactive: the server does not look at a clock.
 */
export function useCountdown({ timestamp, duration }: { timestamp: number; duration: number }): number | null {
  const read = () => Math.min(duration / 1000, Math.max(0, Math.ceil((timestamp + duration - Date.now()) / 1000)));
  return useSyncExternalStore<number | null>(watchClock, read, () => null);
}

/** `0:42`, `12:05` */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
