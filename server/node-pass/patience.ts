import { endsWithin } from "../ends-within.ts";

type Patience = {
  now: () => Date;
  /** How long to wait, and for how long to wait less after somebody waited in vain. In milliseconds. */
  patience: number;
  failed: number;
};

/**
 * Waits for a network that may be down. While it is, one page in a while waits the whole time. The others barely wait.
 */
export function createPatience({ failed, now, patience }: Patience) {
  let awayAt = -Infinity;

  return async function wait<Value>(answer: Promise<Value>): Promise<Value> {
    // The clock may have been set back since then.
    const isAway = Math.abs(now().getTime() - awayAt) < failed;
    try {
      const value = await within(isAway ? patience / 10 : patience, answer);
      awayAt = -Infinity;
      return value;
    } catch (error) {
      if (!isAway) awayAt = now().getTime();
      throw error;
    }
  };
}

/** Waits for an answer, and rejects if that takes too long. The request itself goes on. */
export async function within<Value>(milliseconds: number, answer: Promise<Value>): Promise<Value> {
  if (await endsWithin(milliseconds, answer)) return answer;
  throw new Error(`No answer within ${milliseconds} ms`);
}
