import type { Tx } from "../db/client.ts";
import { dueAtOnce, enqueue } from "../jobs/queries.ts";
import { lockJobsInFlight } from "./jobs.queries.ts";

/** The kind of job that uses up a nonce whose own job is gone. Its key has the sender and the nonce. */
export const FILL_NONCE = "fill-nonce";

type Left = { sender: string; nonce: number };

/**
 * Lets go of a member's transactions under way. Keeps their jobs from going on until this transaction ends, and queues
 * their nonces to be used up, because other transactions wait behind them.
 */
export async function enqueueNonceFills(tx: Tx, { userId, at }: { userId: string; at: Date }): Promise<void> {
  for (const { sender, senderNonce } of await lockJobsInFlight(tx, userId)) {
    if (sender === null || senderNonce === null) continue;
    await enqueue(tx, { kind: FILL_NONCE, key: `${sender} ${senderNonce}`, dueAt: dueAtOnce(at) });
  }
}

export function parseNonceKey(key: string): Left {
  const [sender = "", nonce] = key.split(" ");
  return { sender, nonce: Number(nonce) };
}
