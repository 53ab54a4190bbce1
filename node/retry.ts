import { chooseWait } from "./back-off.ts";
import { CallFailed } from "./call.ts";
import type { Clock } from "./clock.ts";

export type RetryContext = {
  clock: Clock;
  /** Returns a number from 0 to 1, like Math.random. */
  random: () => number;
  report: (line: string) => void;
  signal: AbortSignal;
};

/** Makes a call until it succeeds. Throws CallFailed if waiting does not help, or if the last try failed. */
export async function retry<T>(
  { clock, random, report, signal }: RetryContext,
  call: () => Promise<T>,
  tries = Infinity,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CallFailed) || !error.isTemporary || failures === tries) throw error;
      const wait = chooseWait(failures, error.retryAfter, random);
      // A bot check only asks to wait a moment. Nobody at the terminal has to know.
      if (error.code !== "BOT_CHECK_FAILED") report(`${error.message} (next try in ${formatWait(wait)})`);
      await clock.sleep(wait, signal);
    }
  }
}

export const formatWait = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const hours = seconds / 3600;
  if (hours < 48) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(hours / 24)} days`;
};
