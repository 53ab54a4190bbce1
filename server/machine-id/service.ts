import type { Job } from "../chain/chain-gateway.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { isDone, readMember, type Member } from "../member/member.ts";
import { HEARTBEATS_REQUIRED } from "../heartbeats/contract.ts";
import type { SmartAccountState, SmartIdRequirements } from "./contract.ts";

/** What it takes to put something on the chain for a member. */
export type ChainDeps = Pick<Deps, "chain" | "db" | "jobs" | "now">;

/** Returns what the member still needs, and whether they have an account already. */
export async function readRequirements({ db }: Pick<Deps, "db">, userId: string): Promise<SmartIdRequirements> {
  const member = await readMember(db, userId);
  const [hasWallet, hasBeaten] = [member.user.wallet !== null, hasEnoughHeartbeats(member)];
  const status = stateOf(member.latestJobs.deploy);
  return {
    wallet: hasWallet,
    heartbeats: hasBeaten,
    requirementsMet: hasWallet && hasBeaten,
    currentHeartbeats: member.heartbeats,
    existingSmartAccount: status === "pending" || status === "completed",
    status,
  };
}

const hasEnoughHeartbeats = ({ heartbeats }: Member) => heartbeats >= HEARTBEATS_REQUIRED;

/** Returns how far a deployment is, as members see it. */
export function stateOf(job: Job | undefined): SmartAccountState {
  if (!job) return "not_found";
  if (job.state === "failed") return "failed";
  return isDone(job) ? "completed" : "pending";
}

/** Returns the linked wallet of a member who may have a Smart Account. Throws REQUIREMENTS_NOT_MET. */
export function requireOwner(member: Member): string {
  const { heartbeats, user } = member;
  if (!user.wallet) throw new AppError("REQUIREMENTS_NOT_MET", "Link a wallet first.");
  if (hasEnoughHeartbeats(member)) return user.wallet.toLowerCase();
  const sentence = `A Smart Account needs ${HEARTBEATS_REQUIRED} heartbeats. You have ${heartbeats}.`;
  throw new AppError("REQUIREMENTS_NOT_MET", sentence);
}

/** Explains to the member why the network refused something. */
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
