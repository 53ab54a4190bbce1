import { isHex, keccak256, parseTransaction, type Hex } from "viem";
import type { Tx } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Job } from "../chain-gateway.ts";
import { changeJob, isNonceTaken, lockSender, storeNonce } from "../jobs.queries.ts";
import { readRefusal } from "./rpc-errors.ts";
import { describeCall, estimateCall } from "./station-call.ts";
import { save, type Work } from "./work.ts";

type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
type Transaction = Fees & { nonce: number; gas: bigint; data: Hex };

/**
 * Tries the call out, then signs it with the sender's next nonce and keeps the bytes: they are what is sent, however
 * often. Throws Refused.
 */
export async function prepare(work: Work, job: Job): Promise<Job | undefined> {
  const { client, manager } = work.station;
  const call = await describeCall(work.station, work.factory, job);
  await call.simulate();
  const [gas, fees, pending, block] = await Promise.all([
    estimateCall(work.station, call),
    client.estimateFeesPerGas(),
    client.getTransactionCount({ address: manager.address, blockTag: "pending" }),
    client.getBlockNumber(),
  ]);
  return inTransaction(work.db, async (tx) => {
    const last = await lockSender(tx, manager.address);
    const nonce = await chooseNonce(tx, { sender: manager.address, pending, last: last ?? -1 });
    const signed = await sign(work, { nonce, gas, data: call.data, ...fees });
    const change = { ...signed, state: "signed", sender: manager.address, senderNonce: nonce } as const;
    const sinceBlock = job.sinceBlock ?? Number(block);
    const changed = await changeJob({ db: tx, lease: work.lease }, job, { ...change, sinceBlock, attempts: 0 });
    if (changed) await storeNonce(tx, manager.address, Math.max(nonce, last ?? 0));
    return changed;
  });
}

type Nonces = { sender: string; pending: number; last: number };

/** What was given out and went nowhere, since its job is gone, comes first: the network takes nothing before it. */
async function chooseNonce(tx: Tx, { last, pending, sender }: Nonces): Promise<number> {
  const isKept = pending <= last && (await isNonceTaken(tx, sender, pending));
  return isKept ? last + 1 : pending;
}

async function sign({ factory, station }: Work, { data, gas, maxFeePerGas, maxPriorityFeePerGas, nonce }: Transaction) {
  const rawTx = await station.manager.signTransaction({
    chainId: factory.domain.chainId,
    to: station.factory,
    nonce,
    gas,
    data,
    maxFeePerGas,
    maxPriorityFeePerGas,
  });
  return { rawTx, txHash: keccak256(rawTx) };
}

/** Sends the kept bytes. That the network has them already is as good; that their nonce is used, the next look tells. */
export async function broadcast(work: Work, job: Job): Promise<Job | undefined> {
  const sent = { state: "sent", sentAt: work.now() } as const;
  try {
    await work.station.client.sendRawTransaction({ serializedTransaction: readRaw(job) });
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal === "underpriced") return replace(work, job);
    if (refusal === "other") throw error;
  }
  return save(work, job, sent);
}

function readRaw({ rawTx }: Job): Hex {
  if (!isHex(rawTx)) throw new Error("A signed job has no bytes");
  return rawTx;
}

/** Signs the same again for a higher fee: of two transactions with one nonce, only one is ever mined. */
export async function replace(work: Work, job: Job): Promise<Job | undefined> {
  const { data, gas, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, nonce } = parseTransaction(readRaw(job));
  if (data === undefined || gas === undefined || nonce === undefined)
    throw new Error("The bytes of a job say too little");
  const current = await work.station.client.estimateFeesPerGas();
  const fees = {
    maxFeePerGas: raise(maxFeePerGas, current.maxFeePerGas),
    maxPriorityFeePerGas: raise(maxPriorityFeePerGas, current.maxPriorityFeePerGas),
  };
  const signed = await sign(work, { nonce, gas, data, ...fees });
  const replacedHashes = [...job.replacedHashes, ...(job.txHash ? [job.txHash] : [])];
  work.log.warn({ job: job.id, nonce }, "a transaction is stuck: it is replaced for a higher fee");
  return save(work, job, { ...signed, replacedHashes, state: "signed" });
}

/** Nodes take a replacement for at least an eighth more. */
function raise(paid: bigint, asked: bigint): bigint {
  const raised = (paid * 5n) / 4n + 1n;
  return raised > asked ? raised : asked;
}
