import { endsWithin } from "../ends-within.ts";

type Patience = {
  now: () => Date;
  /** Milliseconds to wait, and how long to wait less once somebody has waited in vain. */
  patience: number;
  failed: number;
};

/** Waits for answers of a network that may be away: then one page in a while waits for it, and the others hardly. */
export function createPatience({ failed, now, patience }: Patience) {
  let awayAt = -Infinity;

  return async function wait<Value>(answer: Promise<Value>): Promise<Value> {
    // The clock may have been put back since.
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

/** Waits for an answer, and rejects when it takes too long; what was asked goes on. */
export async function within<Value>(milliseconds: number, answer: Promise<Value>): Promise<Value> {
  if (await endsWithin(milliseconds, answer)) return answer;
  throw new Error(`No answer within ${milliseconds} ms`);
}
