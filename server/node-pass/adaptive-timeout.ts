import { endsWithin } from "../ends-within.ts";

type AdaptiveTimeoutOptions = {
  now: () => Date;
  /** How long to wait, and for how long to wait less after somebody waited in vain. In milliseconds. */
  timeout: number;
  failed: number;
};

/**
 * Waits for a network that may be down. While it is, one page in a while waits the whole time. The others barely wait.
 */
export function createAdaptiveTimeout({ failed, now, timeout }: AdaptiveTimeoutOptions) {
  let awayAt = -Infinity;

  return async function wait<Value>(answer: Promise<Value>): Promise<Value> {
    // The clock may have been set back since then.
    const isAway = Math.abs(now().getTime() - awayAt) < failed;
    try {
      const value = await withTimeout(isAway ? timeout / 10 : timeout, answer);
      awayAt = -Infinity;
      return value;
    } catch (error) {
      if (!isAway) awayAt = now().getTime();
      throw error;
    }
  };
}

/** Waits for an answer, and rejects if that takes too long. The request itself goes on. */
export async function withTimeout<Value>(milliseconds: number, answer: Promise<Value>): Promise<Value> {
  if (await endsWithin(milliseconds, answer)) return answer;
  throw new Error(`No answer within ${milliseconds} ms`);
}
