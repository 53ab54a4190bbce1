import { getAddress } from "viem";
import type { Job } from "../chain/chain-gateway.ts";
import { submit } from "../chain/submit.ts";
import { describeDeploy } from "../chain/contract.ts";
import type { Db, Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { hasStartedDeployment, isDone, readMember } from "../member/member.ts";
import type {
  CreateSmartAccountInput,
  SmartAccountConsent,
  SmartAccountDeployment,
  SmartAccountState,
  SmartAccountStatus,
} from "./contract.ts";
import { lockWallet } from "./queries.ts";
import { explainFailure, requireOwner, stateOf, type ChainDeps } from "./service.ts";

/** How far a consent's time may be from the server's, before or after it, in milliseconds. */
const CONSENT_WINDOW = 5 * 60 * 1000;

const QUEUED = "Smart Account creation queued";
const WRONG_WALLET =
  "You signed with a different wallet from the one you linked. Connect your linked wallet and sign again.";

/** Returns the member's Smart Account, and how far its creation is. */
export async function readSmartAccount({ db }: ChainDeps, userId: string): Promise<SmartAccountStatus> {
  const { deploy: job } = (await readMember(db, userId)).latestJobs;
  const status = stateOf(job);
  return {
    success: true,
    smartAccount: status === "completed" ? (job?.machineAddress ?? null) : null,
    message: describeState(status, job),
    status,
    createdAt: (job?.completedAt ?? job?.createdAt)?.toISOString() ?? null,
  };
}

function describeState(status: SmartAccountState, job: Job | undefined) {
  if (status === "failed" && job) return explainFailure(job);
  return { completed: "Your Smart Account is ready.", pending: QUEUED, not_found: "", failed: "" }[status];
}

/** Returns the deployment of the member's Smart Account once it is completed. */
export async function readDeployment({ chain, db }: ChainDeps, userId: string): Promise<SmartAccountDeployment> {
  const { deploy: job } = (await readMember(db, userId)).latestJobs;
  if (!job?.machineAddress || !isDone(job)) {
    return { success: true, message: "Smart Account not available", data: null };
  }
  const data = {
    id: job.id,
    profile_id: userId,
    contract_addr: job.machineAddress,
    transaction_hash: job.txHash ?? "",
    // On the embedded ledger nobody sends anything: it executes what the station agreed to.
    deployer: job.sender ?? chain.station.admin,
    gas_station: chain.station.factory,
    creation_time: (job.completedAt ?? job.createdAt).toISOString(),
  };
  return { success: true, message: "", data };
}

/**
 * Returns what the linked wallet signs. Throws REQUIREMENTS_NOT_MET, CONFLICT if there is an account already, and
 * UNAVAILABLE while the chain cannot be reached.
 */
export async function readConsent({ chain, db, now }: ChainDeps, userId: string): Promise<SmartAccountConsent> {
  const machineOwner = await requireNewOwner(db, userId);
  const { factory } = await chain.describeDomains();
  return { mode: chain.mode, typedData: describeDeploy(factory, { machineOwner, nonce: String(now().getTime()) }) };
}

/** Returns the linked wallet of a member who may have a Smart Account and has none. */
async function requireNewOwner(db: Db | Tx, userId: string): Promise<string> {
  const member = await readMember(db, userId);
  const owner = requireOwner(member);
  if (!hasStartedDeployment(member)) return owner;
  throw new AppError("CONFLICT", "You already have a Smart Account, or it is being created.");
}

/**
 * Queues the deployment that the linked wallet has agreed to, once. Throws BAD_SIGNATURE, EXPIRED, and whatever
 * `readConsent` throws.
 */
export async function createSmartAccount(deps: ChainDeps, userId: string, input: CreateSmartAccountInput) {
  const { chain, db, jobs, now } = deps;
  const age = now().getTime() - Number(input.nonce);
  if (age > CONSENT_WINDOW) throw new AppError("EXPIRED", "This request is too old. Please sign again.");
  if (age < -CONSENT_WINDOW)
    throw new AppError("EXPIRED", "This request is from the future. Check the clock of your device, then sign again.");
  const consent = { owner: getAddress(input.machineOwner), nonce: input.nonce, signature: input.signature };
  const digest = await chain.verifyConsent(consent);
  await inTransaction(db, async (tx) => {
    await lockWallet(tx, userId);
    if ((await requireNewOwner(tx, userId)) !== input.machineOwner) {
      throw new AppError("BAD_SIGNATURE", WRONG_WALLET);
    }
    await submit(tx, { ...consent, userId }, { digest, at: now() });
  });
  jobs.wake();
  return { success: true, message: QUEUED, status: "pending" };
}
