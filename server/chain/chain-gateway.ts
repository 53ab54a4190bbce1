import type { Address, Hex } from "viem";
import type { chainJobs } from "../db/schema.ts";
import type { Status } from "../db/unavailable.ts";
import type { JobKind } from "../jobs/job.ts";
import type { Domains } from "./typed-data.ts";

export type Job = typeof chainJobs.$inferSelect;

/** The consent of a wallet's owner. `nonce` is the owner's, in decimal. */
export type DeployConsent = { owner: Address; nonce: string; signature: string };
/** What the owner signed for their machine account to do. */
export type ExecuteConsent = DeployConsent & { machine: Address; target: Address; calldata: Hex };

/** An identity record as the network holds it. */
export type IdentityRecord = { name: Hex; value: Hex };

/** How much an account has left to pay with, in the chain's currency. */
export type Balance = { account: string; balance: number };

/**
 * The connection to the chain. Every request is first recorded (submit.ts) and later done by `work`, so that work
 * continues where it was after any interruption.
 */
export type ChainGateway = {
  mode: "embedded" | "rpc";
  /** Returns the domains that wallets show when they sign. Throws UNAVAILABLE until the chain has been reached. */
  describeDomains(): Promise<Domains>;
  /** Returns the digest of what was signed. Throws BAD_SIGNATURE, and UNAVAILABLE like `describeDomains`. */
  verifyConsent(consent: DeployConsent | ExecuteConsent): Promise<Hex>;
  /** Returns the record at the identity precompile, if there is one. Throws UNAVAILABLE. */
  readIdentity(machine: Address, name: Hex): Promise<IdentityRecord | undefined>;
  /** Whether an address is a contract's. Contracts cannot sign. Throws UNAVAILABLE. */
  hasCode(address: Address): Promise<boolean>;
  /** Signs a message in the station's name (EIP-191). */
  attest(message: string): Promise<Hex>;
  /** The account that signs in the station's name, and the factory that deploys and pays. */
  station: { admin: Address; factory: Address };
  /** Returns where to look at a transaction, or null if nowhere. */
  explorerUrl(hash: string): string | null;
  /** Whether the chain was found to be as it must be. Starts a check if that is not known. */
  isReady(): boolean;
  /** Returns what the paying accounts had left when last read, without asking the chain. Empty if nothing is paid. */
  balances(): Balance[];
  /** Takes a leased job as far as it goes now. */
  work: JobKind["run"];
  /** Uses up a nonce whose own job is gone (left-nonces.ts). */
  fill: JobKind["run"];
  /** Whether members can be sent here. If not, has a sentence for the operator. */
  check(): Promise<Status>;
};
