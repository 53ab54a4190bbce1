import type { Address, Hex } from "viem";
import type { chainJobs } from "../db/schema.ts";
import type { Status } from "../db/unavailable.ts";
import type { JobKind } from "../jobs/job.ts";
import type { Domains } from "./typed-data.ts";

export type Job = typeof chainJobs.$inferSelect;

/** What the owner of a wallet agreed to. `nonce` is theirs, in decimal. */
export type DeployConsent = { owner: Address; nonce: string; signature: string };
/** What the owner signed for their machine account to do. */
export type ExecuteConsent = DeployConsent & { machine: Address; target: Address; calldata: Hex };

/** An identity record as the network holds it. */
export type IdentityRecord = { name: Hex; value: Hex };

/** What an account has left to pay with, in the chain's currency. */
export type Balance = { account: string; balance: number };

/**
 * The way to the chain. What is wanted of it is written down first (submit.ts), and done later by `work`: whatever
 * stops in between goes on where it was.
 */
export type ChainGateway = {
  mode: "embedded" | "rpc";
  /** What wallets are shown the signing for. Throws UNAVAILABLE while the chain has not been reached yet. */
  describeDomains(): Promise<Domains>;
  /** The digest of what was signed. Throws BAD_SIGNATURE, and UNAVAILABLE as `describeDomains` does. */
  verifyConsent(consent: DeployConsent | ExecuteConsent): Promise<Hex>;
  /** The record at the identity precompile, if there is one. Throws UNAVAILABLE. */
  readIdentity(machine: Address, name: Hex): Promise<IdentityRecord | undefined>;
  /** Whether an address is a contract's: those cannot sign. Throws UNAVAILABLE. */
  hasCode(address: Address): Promise<boolean>;
  /** Signs words in the station's name (EIP-191). */
  attest(message: string): Promise<Hex>;
  /** Who signs in the station's name, and the factory that deploys and pays. */
  station: { admin: Address; factory: Address };
  /** Where a transaction can be looked at, if anywhere. */
  explorerUrl(hash: string): string | null;
  /** Whether the chain was found to be as it must be. Begins to find out where that is not known. */
  isReady(): boolean;
  /** What the accounts that pay had left when it was last looked at. Asks nobody; none where nothing is paid. */
  balances(): Balance[];
  /** Takes a job that is in hand as far as it goes now. */
  work: JobKind["run"];
  /** Uses up a nonce whose own job is gone (left-nonces.ts). */
  fill: JobKind["run"];
  /** Whether members can be sent here, with a sentence for the operator where they cannot. */
  check(): Promise<Status>;
};
