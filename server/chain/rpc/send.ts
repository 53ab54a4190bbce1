import { getAddress, isHex, keccak256, parseTransaction, type Address, type Hex } from "viem";
import { inTransaction } from "../../db/transaction.ts";
import type { Job } from "../chain-gateway.ts";
import { verifyConsent } from "../consent.ts";
import { findOwner } from "../embedded/ledger.queries.ts";
import { changeJob, findFreeNonce, lockSender, storeNonce, type JobChange } from "../jobs.queries.ts";
import { readRefusal } from "./rpc-errors.ts";
import { describeCall, estimateCall, readExecution } from "./station-call.ts";
import { save, type Work } from "./work.ts";

type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
type Transaction = Fees & { nonce: number; gas: bigint; data: Hex };

/**
 * Checks the consent and simulates the call, then signs it with the sender's next nonce and keeps the bytes. These are
 * what is sent, however often. Throws Refused.
 */
export async function prepare(work: Work, job: Job): Promise<Job | undefined> {
  const { client, manager } = work.station;
  const call = await describeCall(work.station, work.factory, job);
  await requireConsent(work, job);
  await call.simulate();
  const [gas, fees, pending, block] = await Promise.all([
    estimateCall(work.station, call),
    client.estimateFeesPerGas(),
    client.getTransactionCount({ address: manager.address, blockTag: "pending" }),
    client.getBlockNumber(),
  ]);
  return inTransaction(work.db, async (tx) => {
    const last = await lockSender(tx, manager.address);
    // A nonce that stayed unused, because its job is gone, comes first: the network accepts no later one before it.
    const nonce = await findFreeNonce(tx, { sender: manager.address, from: pending });
    const signed = await sign(work, { nonce, gas, data: call.data, ...fees });
    const change = { ...signed, state: "signed", sender: manager.address, senderNonce: nonce } as const;
    const blocks = { sinceBlock: job.sinceBlock ?? Number(block), signedBlock: Number(block) };
    const changed = await changeJob({ db: tx, lease: work.lease }, job, { ...change, ...blocks, attempts: 0 });
    if (changed) await storeNonce(tx, manager.address, Math.max(nonce, last ?? 0));
    return changed;
  });
}

/**
 * Throws unless the owner has agreed to this here. A process without the network's settings may have taken the job in
 * for the embedded ledger, with another factory, or for an account that is only there. Such a process must do it.
 */
async function requireConsent({ db, domains }: Work, job: Job): Promise<void> {
  const { consentNonce: nonce, consentSignature: signature, machineAddress } = job;
  if (machineAddress !== null && (await findOwner(db, machineAddress.toLowerCase())) !== undefined)
    throw new Error("a job is for an account on the embedded ledger");
  const consent = { owner: getAddress(job.owner), nonce, signature };
  await verifyConsent(domains, job.kind === "deploy" ? consent : { ...consent, ...callOf(job) });
}

function callOf(job: Job) {
  const { data: calldata, machineAddress: machine, target } = readExecution(job);
  return { calldata, machine, target };
}

/** Returns the account that has signed a job's transaction: the manager's, or that of a key that it has replaced. */
export const senderOf = ({ station }: Work, { sender }: Job): Address =>
  sender === null ? station.manager.address : getAddress(sender);

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

/**
 * Sends the stored bytes. It does no harm if the network has them already. If their nonce is used, the next check
 * notices.
 */
export async function broadcast(work: Work, job: Job): Promise<Job | undefined> {
  const sent = { state: "sent", sentAt: work.now() } as const;
  try {
    await work.station.client.sendRawTransaction({ serializedTransaction: readRaw(job) });
  } catch (error) {
    const refusal = readRefusal(error);
    const fees = refusal === "underpriced" && isReplaceable(work, job) && (await raiseFees(work, job));
    if (fees) return replace(work, job, fees);
    const isAsGood = refusal === "known" || refusal === "nonce-used";
    // If that cannot be found out either, report what the node said about the transaction.
    if (!isAsGood && !(await isNonceUsed(work, job).catch(() => false))) throw error;
  }
  return save(work, job, sent);
}

/**
 * Whether a transaction with this nonce is on the chain, whatever the node said. The next check finds out if it is
 * ours.
 */
async function isNonceUsed(work: Work, job: Job): Promise<boolean> {
  const { senderNonce } = job;
  const settled = await work.station.client.getTransactionCount({ address: senderOf(work, job), blockTag: "latest" });
  return senderNonce !== null && settled > senderNonce;
}

/** Only the account that has signed a transaction can replace it. */
export const isReplaceable = (work: Work, job: Job): boolean => senderOf(work, job) === work.station.manager.address;

function readRaw({ rawTx }: Job): Hex {
  if (!isHex(rawTx)) throw new Error("A signed job has no bytes");
  return rawTx;
}

/** How many times what the network asks we pay at most. A chain that stands still accepts no fee, however high. */
export const MAX_FEE_FACTOR = 10n;

/** Returns what to offer instead of the fees of a job's bytes, or undefined if that would be more than we ever pay. */
export async function raiseFees(work: Work, job: Job): Promise<Fees | undefined> {
  const { maxFeePerGas, maxPriorityFeePerGas } = parseStored(job);
  const asked = await work.station.client.estimateFeesPerGas();
  const fees = {
    maxFeePerGas: raise(maxFeePerGas, asked.maxFeePerGas),
    maxPriorityFeePerGas: raise(maxPriorityFeePerGas, asked.maxPriorityFeePerGas),
  };
  return fees.maxFeePerGas > MAX_FEE_FACTOR * asked.maxFeePerGas ? undefined : fees;
}

/** Raises a fee by a quarter. Nodes accept a replacement for at least an eighth more. */
function raise(paid: bigint, asked: bigint): bigint {
  const raised = (paid * 5n) / 4n + 1n;
  return raised > asked ? raised : asked;
}

/** Signs the same call with another fee. Of two transactions with one nonce, only one is ever mined. */
export async function replace(work: Work, job: Job, fees: Fees, change: JobChange = {}): Promise<Job | undefined> {
  const stored = parseStored(job);
  const signed = await sign(work, { ...stored, ...fees });
  const replacedHashes = [...job.replacedHashes, ...(job.txHash ? [job.txHash] : [])];
  work.log.warn({ job: job.id, nonce: stored.nonce }, "a transaction is stuck: it is replaced for a higher fee");
  return save(work, job, { ...change, ...signed, replacedHashes, state: "signed" });
}

function parseStored(job: Job): Transaction {
  const { data, gas, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, nonce } = parseTransaction(readRaw(job));
  if (data === undefined || gas === undefined || nonce === undefined)
    throw new Error("The bytes of a job say too little");
  return { data, gas, maxFeePerGas, maxPriorityFeePerGas, nonce };
}
