import type { Job } from "../chain/chain-gateway.ts";
import { findLatestJobs } from "../chain/jobs.queries.ts";
import type { Db, Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { oncePerPage } from "../http/call-scope.ts";
import { readHeartbeatStatus } from "../heartbeats/service.ts";
import { readUser } from "../profile/service.ts";
import { type SmartAccountState, type SmartIdRequirements } from "./contract.ts";
import { HEARTBEATS_REQUIRED } from "../heartbeats/contract.ts";

/** What the member still needs, and whether there is an account already. */
export async function readRequirements(deps: Pick<Deps, "db">, userId: string): Promise<SmartIdRequirements> {
  const [{ wallet }, { currentHeartbeats, completed }, { deploy }] = await Promise.all([
    readUser(deps, userId),
    readHeartbeatStatus(deps, userId),
    readLatestJobs(deps.db, userId),
  ]);
  const status = stateOf(deploy);
  return {
    wallet: wallet !== null,
    heartbeats: completed,
    requirementsMet: wallet !== null && completed,
    currentHeartbeats,
    existingSmartAccount: status === "pending" || status === "completed",
    status,
  };
}

/** What a page asks for in several calls. */
export const readLatestJobs = (db: Db, userId: string) =>
  oncePerPage(`chain jobs ${userId}`, () => findLatestJobs(db, userId));

/** How far a deployment is, as members know it. */
export function stateOf(job: Job | undefined): SmartAccountState {
  if (!job) return "not_found";
  if (job.state === "failed") return "failed";
  return isDone(job) ? "completed" : "pending";
}

export const isDone = ({ state }: Job) => state === "completed" || state === "finalized";

/** The linked wallet of a member who may have a Smart Account. Throws REQUIREMENTS_NOT_MET. */
export async function requireOwner(deps: { db: Db | Tx }, userId: string, wallet?: string | null): Promise<string> {
  if (!wallet) throw new AppError("REQUIREMENTS_NOT_MET", "Link a wallet first.");
  const { completed, currentHeartbeats } = await readHeartbeatStatus(deps, userId);
  if (completed) return wallet.toLowerCase();
  const sentence = `A Smart Account needs ${HEARTBEATS_REQUIRED} heartbeats. You have ${currentHeartbeats}.`;
  throw new AppError("REQUIREMENTS_NOT_MET", sentence);
}

/** Why the network did not take something, for the member. */
export function explainFailure({ errorName }: Job): string {
  const reason = WORDS[errorName ?? ""] ?? "The network refused it";
  return `${reason}${errorName ? ` (${errorName})` : ""}. Nothing was created, and you can try again.`;
}

const WORDS: Record<string, string> = {
  NonceAlreadyUsed: "Its number was used before",
  InvalidOwnerSignature: "The network does not accept our signature",
  InvalidMachineOwnerSignature: "The network does not accept your wallet's signature",
  NotAuthorized: "We are not allowed to do this for your account",
  AccessControlUnauthorizedAccount: "We are not allowed to do this on the network at the moment",
  InsufficientFactoryBalance: "The funds that pay for it on the network are used up",
  TargetCallFailed: "The network's identity register refused it",
};
