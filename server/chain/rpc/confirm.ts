import {
  decodeFunctionData,
  isAddressEqual,
  isHash,
  isHex,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  type Hash,
  type Hex,
  type TransactionReceipt,
} from "viem";
import type { Job } from "../chain-gateway.ts";
import { MAX_CLOCK_SKEW_MS } from "../../db/clock.ts";
import { factoryAbi, identityAbi } from "../abi.ts";
import { findFreeNonce, type JobChange } from "../jobs.queries.ts";
import { readRecord } from "./read-record.ts";
import { Refused } from "./rpc-errors.ts";
import { broadcast, isReplaceable, raiseFees, replace, senderOf } from "./send.ts";
import { describeCall, readExecution } from "./station-call.ts";
import { save, type Work } from "./work.ts";

/** How many blocks, with the transaction's own, make a transaction count. */
export const CONFIRMATIONS = 7n;
/** How many checks in a row may find nothing. The next one is believed. */
const MAX_CHECKS = 3;

/** Returns the receipt of a job's transaction, or of one that it replaced. */
export async function findReceipt(
  { station }: Work,
  { replacedHashes, txHash }: Job,
): Promise<TransactionReceipt | undefined> {
  for (const hash of [txHash, ...replacedHashes]) {
    if (!hash || !isHash(hash)) continue;
    const receipt = await station.client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined;
      throw error;
    });
    if (receipt) return requireOwn(receipt, hash);
  }
  return undefined;
}

/**
 * Throws unless a receipt is the transaction's own and has a status. A node, or a cache in front of it, may return
 * another's, or one without a status.
 */
export function requireOwn(receipt: TransactionReceipt, hash: Hash): TransactionReceipt {
  const { status, transactionHash } = receipt;
  if (transactionHash === hash && (status === "success" || status === "reverted")) return receipt;
  throw new Error("what was given is not the receipt of the transaction");
}

export const describeReceipt = ({ blockHash, blockNumber, transactionHash }: TransactionReceipt) =>
  ({ txHash: transactionHash, blockHash, blockNumber: Number(blockNumber) }) satisfies JobChange;

async function isConfirmed({ station }: Work, { blockNumber }: TransactionReceipt): Promise<boolean> {
  return (await station.client.getBlockNumber()) - blockNumber + 1n >= CONFIRMATIONS;
}

/** Checks whether the transaction of a sent job is mined. Throws Refused if the contract refused it. */
export async function findBlock(work: Work, job: Job): Promise<Job | undefined> {
  const receipt = await findReceipt(work, job);
  if (!receipt) return replaceIfStuck(work, job);
  if (receipt.status === "success") return save(work, job, { ...mergeHashes(job, receipt), state: "mined" });
  if (!(await isConfirmed(work, receipt))) return save(work, job, {});
  return findReason(work, job, receipt);
}

/**
 * Throws Refused with why a transaction was refused. If nodes have lost its block's state, with why it would be now.
 */
async function findReason(work: Work, job: Job, { blockNumber }: TransactionReceipt): Promise<never> {
  const call = await describeCall(work.station, work.factory, job);
  try {
    await call.simulate(blockNumber);
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (job.attempts < MAX_CHECKS) {
      await save(work, job, { attempts: job.attempts + 1 });
      throw error;
    }
    await call.simulate().catch((cause: unknown) => {
      if (cause instanceof Refused) throw cause;
    });
  }
  // The receipt alone shows that it was refused.
  throw new Refused("Reverted");
}

/** Puts the hash that counts first. Keeps the others, because a reorganisation may bring them back. */
function mergeHashes(job: Job, receipt: TransactionReceipt) {
  const all = [...job.replacedHashes, ...(job.txHash ? [job.txHash] : [])];
  return { ...describeReceipt(receipt), replacedHashes: all.filter((hash) => hash !== receipt.transactionHash) };
}

/**
 * Handles a transaction that is not mined yet: waits, sends the bytes again, replaces them, or starts over if another
 * transaction used the nonce or the nonce is too high.
 */
async function replaceIfStuck(work: Work, job: Job): Promise<Job | undefined> {
  // An earlier success that the job adopted, and that has since been refused in another block.
  if (job.rawTx === null) return sendAgain(work, job);
  const { client, timing } = work.station;
  const senderNonce = job.senderNonce ?? 0;
  const settled = await client.getTransactionCount({ address: senderOf(work, job), blockTag: "latest" });
  if (settled > senderNonce) return requeue(work, job);
  const waited = work.now().getTime() - (job.sentAt?.getTime() ?? 0);
  // If the clock was ahead when it was sent, nobody knows how long it has waited.
  if (waited < timing.stuck && waited > -MAX_CLOCK_SKEW_MS) return save(work, job, {});
  if (!isReplaceable(work, job)) return broadcast(work, job);
  if (settled < senderNonce)
    return (await isNeverReached(work, job, settled)) ? requeue(work, job) : broadcast(work, job);
  const signedBlock = Number(await client.getBlockNumber());
  const fees = signedBlock > (job.signedBlock ?? 0) && (await raiseFees(work, job));
  return fees ? replace(work, job, fees, { signedBlock }) : broadcast(work, job);
}

/**
 * Whether a nonce before the job's will never be used: a node was wrong when the job got its own, or a transaction that
 * another program sent from the account was dropped. The network accepts no nonce after the gap.
 */
async function isNeverReached({ db, station }: Work, { senderNonce }: Job, settled: number): Promise<boolean> {
  const { address } = station.manager;
  const free = await findFreeNonce(db, { sender: address, from: settled });
  if (free >= (senderNonce ?? 0)) return false;
  return (await station.client.getTransactionCount({ address, blockTag: "pending" })) <= free;
}

async function requeue(work: Work, job: Job): Promise<Job | undefined> {
  if (job.attempts < MAX_CHECKS) return save(work, job, { attempts: job.attempts + 1 });
  work.log.warn(
    { job: job.id, nonce: job.senderNonce },
    "a nonce was used elsewhere, or one before it never comes: the job takes another",
  );
  const replacedHashes = [...job.replacedHashes, ...(job.txHash ? [job.txHash] : [])];
  return save(work, job, {
    state: "queued",
    replacedHashes,
    txHash: null,
    rawTx: null,
    sender: null,
    senderNonce: null,
  });
}

/** Checks whether the transaction of a mined job is confirmed and did what was wanted. */
export async function confirm(work: Work, job: Job): Promise<Job | undefined> {
  const receipt = await findReceipt(work, job);
  if (!receipt) return sendAgain(work, job);
  if (receipt.status !== "success") return takeBack(work, job, "sent");
  const mined = mergeHashes(job, receipt);
  if (!(await isConfirmed(work, receipt))) return save(work, job, mined);
  const outcome = job.kind === "deploy" ? readDeployed(work, receipt) : await checkRecord(work, job);
  if (outcome) return save(work, job, { ...mined, ...outcome, state: "completed", completedAt: work.now() });
  if (job.attempts < MAX_CHECKS) return save(work, job, { ...mined, attempts: job.attempts + 1 });
  throw new Refused(job.kind === "deploy" ? "NoAccountDeployed" : "NoIdentityFound");
}

/** Sends the same bytes again after a reorganisation. An adopted success has no bytes, so its job starts over. */
function sendAgain(work: Work, job: Job): Promise<Job | undefined> {
  work.log.warn({ job: job.id, tx: job.txHash }, "a transaction is no longer on the chain: it is sent again");
  return takeBack(work, job, job.rawTx === null ? "queued" : "signed");
}

function takeBack(work: Work, job: Job, state: "queued" | "signed" | "sent" | "mined"): Promise<Job | undefined> {
  const taken = { blockHash: null, blockNumber: null, completedAt: null };
  return save(work, job, { ...taken, ...(job.kind === "deploy" && { machineAddress: null }), state });
}

/** Returns the account's address, which only the factory's event has. */
function readDeployed({ station }: Work, { logs }: TransactionReceipt): JobChange | undefined {
  const ours = logs.filter(({ address }) => isAddressEqual(address, station.factory));
  const [deployed] = parseEventLogs({ abi: factoryAbi, eventName: "MachineSmartAccountDeployed", logs: ours });
  return deployed && { machineAddress: deployed.args.deployedAddress.toLowerCase() };
}

/** Returns an empty change if the identity record is what this job asked for. */
const checkRecord = async (work: Work, job: Job): Promise<JobChange | undefined> =>
  (await findWriter(work, [job], job)) && {};

/**
 * Returns the first of some jobs that asked for the identity record of this job's machine as it is. Does not use logs,
 * because they differ between versions of the network.
 */
export async function findWriter({ station }: Work, jobs: Job[], job: Job): Promise<Job | undefined> {
  const { data, machineAddress, target } = readExecution(job);
  const [, name] = decodeCall(data);
  const record = await readRecord(station.client, { target, machine: machineAddress, name });
  return record && jobs.find(({ calldata }) => isHex(calldata) && decodeCall(calldata)[2] === record.value);
}

const decodeCall = (data: Hex) => decodeFunctionData({ abi: identityAbi, data }).args;

/** Checks a completed job until no reorganisation can take it back. */
export async function finalize(work: Work, job: Job): Promise<Job | undefined> {
  const receipt = await findReceipt(work, job);
  // A node that is behind may not know it yet.
  if (!receipt && job.attempts < MAX_CHECKS) return save(work, job, { attempts: job.attempts + 1 });
  if (!receipt) return sendAgain(work, job);
  // It may have done something else in another block than the one in which it was completed.
  if (receipt.status !== "success") return takeBack(work, job, "sent");
  if (receipt.blockHash !== job.blockHash) return takeBack(work, job, "mined");
  const isFinal = (await readFinalized(work)) >= receipt.blockNumber;
  return save(work, job, { ...mergeHashes(job, receipt), ...(isFinal && { state: "finalized" }) });
}

/** How many blocks make a transaction final on networks without the tag. */
const DEEP = 64n;

async function readFinalized({ station }: Work): Promise<bigint> {
  const { client } = station;
  const finalized = await client.getBlock({ blockTag: "finalized" }).catch(() => undefined);
  return finalized?.number ?? (await client.getBlockNumber()) - DEEP;
}
