import {
  decodeFunctionData,
  encodeAbiParameters,
  getAddress,
  getContractAddress,
  hexToBytes,
  isAddressEqual,
  isHex,
  keccak256,
  stringToHex,
  type Address,
} from "viem";
import type { Tx } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { Lease } from "../../jobs/job.ts";
import { lockLease } from "../../jobs/queries.ts";
import { announceIdentity } from "../announce-identity.ts";
import { identityAbi } from "../abi.ts";
import type { Job } from "../chain-gateway.ts";
import { verifyConsent } from "../consent.ts";
import { changeJob, isOver, lockChainJob, type JobChange } from "../jobs.queries.ts";
import { describeDeploy, IDENTITY_PRECOMPILE } from "../contract.ts";
import { digestOf, type Domains } from "../typed-data.ts";
import { findOwner, insertAccount, insertAttribute } from "./ledger.queries.ts";

/** Used instead of the hash of a contract's code, so that no address equals a contract's. */
const CODE_HASH = keccak256(stringToHex("nodebeat embedded account"));

type LedgerDeps = Pick<Deps, "db" | "now">;
type Ledger = { domains: Domains; at: Date };

/** Does a job, with all its effects, in one transaction. */
export async function workOnLedger({ db, now }: LedgerDeps, domains: Domains, lease: Lease): Promise<void> {
  const at = now();
  await inTransaction(db, async (tx) => {
    await lockLease(tx, lease);
    const job = await lockChainJob(tx, lease.key);
    if (!job || isOver(job)) return;
    if (job.state !== "queued") throw belongsElsewhere();
    const effect = await execute(tx, job, { domains, at });
    const done = effect.errorName ? ({ state: "failed", failedAt: at } as const) : completed(job, at);
    const changed = await changeJob({ db: tx, lease }, job, { ...done, ...effect });
    if (changed?.state === "finalized") await announceIdentity(tx, changed, at);
  });
}

/** A process with the network's settings took the job in. This one lacks them, and leaves the job to such a process. */
const belongsElsewhere = () => new Error("a job is for the network, and the CHAIN_ settings are missing");

/** Returns the changes of a completed job. Nobody can take its hash for that of a transaction on a chain. */
const completed = ({ id }: Job, at: Date) =>
  ({
    state: "finalized",
    completedAt: at,
    sentAt: at,
    txHash: `embedded:${id}`,
    blockHash: `embedded:${id}`,
  }) satisfies JobChange;

async function execute(tx: Tx, job: Job, ledger: Ledger): Promise<JobChange> {
  return job.kind === "deploy" ? deploy(tx, job, ledger) : addIdentity(tx, job, ledger);
}

async function deploy(tx: Tx, job: Job, { at, domains }: Ledger): Promise<JobChange> {
  const owner = getAddress(job.owner);
  const consent = { owner, nonce: job.consentNonce, signature: job.consentSignature };
  // What was signed names the factory.
  const asked = describeDeploy(domains.factory, { machineOwner: owner, nonce: consent.nonce });
  if (digestOf(asked) !== job.consentDigest) throw belongsElsewhere();
  if (!(await isSigned(domains, consent))) return { errorName: "InvalidOwnerSignature" };
  const factory = domains.factory.verifyingContract;
  const address = addressOf({ factory, owner, nonce: job.consentNonce });
  const account = { address, factory, owner: job.owner, nonce: job.consentNonce, createdAt: at };
  if (!(await insertAccount(tx, account))) return { errorName: "NonceAlreadyUsed" };
  return { machineAddress: address };
}

/** Derives an address as CREATE2 does, from the factory, the owner and the nonce. */
function addressOf({ factory, nonce, owner }: { factory: Address; nonce: string; owner: Address }) {
  const salt = keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [owner, BigInt(nonce)]));
  return getContractAddress({ opcode: "CREATE2", from: factory, salt, bytecodeHash: CODE_HASH }).toLowerCase();
}

async function addIdentity(tx: Tx, job: Job, { at, domains }: Ledger): Promise<JobChange> {
  const { calldata, consentNonce: nonce, consentSignature: signature, machineAddress, target } = job;
  if (!machineAddress || !target || !isHex(calldata)) return { errorName: "ZeroAddress" };
  const machine = getAddress(machineAddress);
  const owner = await findOwner(tx, machineAddress.toLowerCase());
  if (!owner) throw belongsElsewhere();
  const consent = { owner: getAddress(owner), nonce, signature, machine, target: getAddress(target), calldata };
  if (!(await isSigned(domains, consent))) return { errorName: "InvalidMachineOwnerSignature" };
  if (!isAddressEqual(consent.target, IDENTITY_PRECOMPILE)) return { errorName: "TargetCallFailed" };

  const { args, functionName } = decodeFunctionData({ abi: identityAbi, data: calldata });
  if (functionName !== "addAttribute" || !isAddressEqual(args[0], machine)) return { errorName: "TargetCallFailed" };
  const [name, value] = [Buffer.from(hexToBytes(args[1])), Buffer.from(hexToBytes(args[2]))];
  const added = await insertAttribute(tx, { account: machineAddress.toLowerCase(), name, value, createdAt: at });
  return added ? {} : { errorName: "TargetCallFailed" };
}

async function isSigned(domains: Domains, consent: Parameters<typeof verifyConsent>[1]): Promise<boolean> {
  try {
    await verifyConsent(domains, consent);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "BAD_SIGNATURE") return false;
    throw error;
  }
}
