import { setTimeout as wait } from "node:timers/promises";

export type Clock = {
  now(): Date;
  /** Resolves after so many milliseconds. Rejects if the signal ends the wait. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
};

/** The longest delay of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) => wait(Math.min(Math.max(0, milliseconds), LONGEST_TIMER), undefined, { signal }),
};
