import { setTimeout as sleep } from "node:timers/promises";

/** Waits for an answer, and rejects when it takes too long; what was asked goes on. */
export async function within<Value>(milliseconds: number, answer: Promise<Value>): Promise<Value> {
  const ended = new AbortController();
  try {
    return await Promise.race([answer, giveUp(milliseconds, ended.signal)]);
  } finally {
    ended.abort();
  }
}

async function giveUp(milliseconds: number, signal: AbortSignal): Promise<never> {
  await sleep(milliseconds, undefined, { ref: false, signal });
  throw new Error(`No answer within ${milliseconds} ms`);
}
