import type { Db } from "../../db/client.ts";
import type { Again } from "../../jobs/job.ts";
import type { Logger } from "../../log/log.ts";
import { IDENTITY_CHAIN_ID } from "../contract.ts";
import { isNonceTaken } from "../jobs.queries.ts";
import { parseNonceKey } from "../left-nonces.ts";
import { CONFIRMATIONS } from "./confirm.ts";
import { readRefusal } from "./rpc-errors.ts";
import { MAX_FEE_FACTOR } from "./send.ts";
import type { Station } from "./station.ts";

type Filling = { db: Db; log: Logger; station: Station };

/** The gas of a transaction that does nothing. */
const PLAIN_GAS = 21_000n;

/**
 * Makes sure that a nonce is used whose job is gone with its member: by what that job sent, or by a transaction that
 * does nothing. It does not matter which of the two is mined. Throws if the connection to the chain fails.
 */
export async function fillNonce({ db, log, station }: Filling, key: string): Promise<Again | void> {
  const { nonce, sender } = parseNonceKey(key);
  const { client, manager, timing } = station;
  // Another account sends now, and its transactions do not wait behind this nonce.
  if (sender !== manager.address) return undefined;
  // Another job has this nonce now.
  if (await isNonceTaken(db, sender, nonce)) return undefined;
  const latest = await client.getBlockNumber();
  const confirmed = latest < CONFIRMATIONS ? 0n : latest - CONFIRMATIONS + 1n;
  if ((await client.getTransactionCount({ address: manager.address, blockNumber: confirmed })) > nonce)
    return undefined;
  const settled = await client.getTransactionCount({ address: manager.address, blockTag: "latest" });
  if (settled <= nonce) {
    log.warn({ nonce }, "a transaction's member is gone: its nonce is filled with one that does nothing");
    await sendEmptyTransaction(station, nonce);
  }
  return { again: timing.stuck };
}

/** Offers the most that we ever pay, to replace what may be waiting. If that offers as much, it gets mined anyway. */
async function sendEmptyTransaction({ client, manager }: Station, nonce: number): Promise<void> {
  const asked = await client.estimateFeesPerGas();
  const serializedTransaction = await manager.signTransaction({
    chainId: IDENTITY_CHAIN_ID,
    to: manager.address,
    nonce,
    gas: PLAIN_GAS,
    maxFeePerGas: MAX_FEE_FACTOR * asked.maxFeePerGas,
    maxPriorityFeePerGas: MAX_FEE_FACTOR * asked.maxPriorityFeePerGas,
  });
  await client.sendRawTransaction({ serializedTransaction }).catch((error: unknown) => {
    if (readRefusal(error) === "other") throw error;
  });
}
