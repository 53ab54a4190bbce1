import { hash, randomBytes } from "node:crypto";
import { encodeFunctionData, getAddress, isHex, stringToHex, type Address } from "viem";
import { uuidv7 } from "uuidv7";
import { identityAbi } from "../chain/abi.ts";
import type { Job } from "../chain/chain-gateway.ts";
import { randomNonce, submit } from "../chain/submit.ts";
import { describeExecute, IDENTITY_PRECOMPILE } from "../chain/contract.ts";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { isDone, readMember, type Member } from "../member/member.ts";
import type { MachineIdentity, MachineIdSignatureInput, MachineIdStatus, RequestMachineIdResult } from "./contract.ts";
import { describeMachine, didNameOf, DID_TAG, encodeDocument } from "./did-document.ts";
import { lockWallet, markSigned, saveIdentity, type IdentityRequest } from "./queries.ts";
import type { ChainDeps } from "./service.ts";

type Account = { owner: Address; machine: Address };

/** Returns the state of the Machine ID. One that failed counts as none. */
export async function readStatus({ db }: ChainDeps, userId: string): Promise<MachineIdStatus> {
  const { identity: asked, latestJobs } = await readMember(db, userId);
  const job = latestJobs.execute;
  if (job && job.state !== "failed") return { status: isDone(job) ? "completed" : "pending" };
  return { status: asked && !asked.signedAt ? "waiting_for_signature" : null };
}

/**
 * Returns what the owner signs for the Machine ID. It stays the same until it is signed, or until the member leaves the
 * email address that it contains. Throws REQUIREMENTS_NOT_MET if there is no Smart Account yet, CONFLICT if it is
 * signed already, and UNAVAILABLE.
 */
export async function requestMachineId(deps: ChainDeps, userId: string): Promise<RequestMachineIdResult> {
  const { chain, db } = deps;
  const domains = await chain.describeDomains();
  const { deploy: deployed } = (await readMember(db, userId)).latestJobs;
  // Read this first, which also caches it: a member who gets UNAVAILABLE has not begun anything.
  if (deployed?.machineAddress && isDone(deployed)) await domains.account(getAddress(deployed.machineAddress));
  const { calldata, machineAddress, nonce, target } = await inTransaction(db, async (tx) => {
    await lockWallet(tx, userId);
    const current = await readMember(tx, userId);
    const account = requireAccount(current);
    const { identity: asked, user } = current;
    if (asked && !asked.signedAt && asked.machineAddress === account.machine) return asked;
    return requestSignature(deps, tx, { ...account, userId, email: user.email });
  });
  const typedData = describeExecute(await domains.account(getAddress(machineAddress)), {
    target,
    data: calldata,
    nonce,
  });
  const data = { machineAddress, target, calldata, nonce, typedData };
  return { success: true, message: "Machine ID creation initiated", data };
}

/** Returns the finished account of a member who has no Machine ID, not even one in progress. */
function requireAccount({ latestJobs: { deploy: deployed, execute: identity } }: Member): Account {
  if (identity && identity.state !== "failed") refuseSecond(identity);
  if (!deployed?.machineAddress || !isDone(deployed)) {
    throw new AppError("REQUIREMENTS_NOT_MET", "A Machine ID needs a Smart Account. Create that first.");
  }
  return { owner: getAddress(deployed.owner), machine: getAddress(deployed.machineAddress) };
}

function refuseSecond(job: Job): never {
  const sentence = isDone(job) ? "You already have a Machine ID." : "Your Machine ID is being created.";
  throw new AppError("CONFLICT", sentence);
}

type MemberAccount = Account & { userId: string; email: string };

async function requestSignature({ chain, now }: ChainDeps, tx: Tx, { email, machine, owner, userId }: MemberAccount) {
  const emailSalt = randomBytes(16);
  const emailSignature = await chain.attest(describeEmail(email, emailSalt));
  const issuer = chain.station.admin;
  const identity = {
    userId,
    id: uuidv7(),
    owner,
    machineAddress: machine,
    didName: didNameOf(machine),
    tag: DID_TAG,
    target: IDENTITY_PRECOMPILE,
    calldata: encodeRecord(machine, encodeDocument(describeMachine({ machine, owner, issuer, emailSignature }))),
    nonce: randomNonce(),
    emailSalt,
    emailSignature,
    requestedAt: now(),
  };
  await saveIdentity(tx, identity);
  return identity;
}

/** Says which address we know without naming it, because the record is public forever. */
const describeEmail = (email: string, salt: Buffer) =>
  `The owner's email address, mixed with a secret: ${hash("sha256", Buffer.concat([salt, Buffer.from(email)]))}`;

/** Encodes the call that adds a record. The network stores names and values as text. A validity of 0 never ends. */
function encodeRecord(machine: Address, document: Buffer) {
  const [name, value] = [stringToHex(didNameOf(machine)), stringToHex(document.toString("hex"))];
  return encodeFunctionData({ abi: identityAbi, functionName: "addAttribute", args: [machine, name, value, 0] });
}

/**
 * Takes the owner's signature and queues the registration, once. Throws BAD_SIGNATURE, REQUIREMENTS_NOT_MET if there is
 * nothing to sign yet, CONFLICT if it is signed already, and UNAVAILABLE.
 */
export async function takeSignature(deps: ChainDeps, userId: string, input: MachineIdSignatureInput) {
  const { chain, db, jobs, now } = deps;
  const { identity: asked } = await readMember(db, userId);
  if (!asked)
    throw new AppError("REQUIREMENTS_NOT_MET", "There is nothing to sign yet. Start creating the Machine ID first.");
  const consent = toConsent(asked, input.machineOwnerSignature);
  const digest = await chain.verifyConsent(consent);
  await inTransaction(db, async (tx) => {
    await lockWallet(tx, userId);
    const current = await readMember(tx, userId);
    requireAccount(current);
    if (current.identity?.nonce !== asked.nonce)
      throw new AppError(
        "REQUIREMENTS_NOT_MET",
        "What you signed is out of date. Start creating the Machine ID again.",
      );
    if (current.identity.signedAt) throw new AppError("CONFLICT", "You have already signed this.");
    await markSigned(tx, userId, { signature: input.machineOwnerSignature, at: now() });
    await submit(tx, { ...consent, userId }, { digest, at: now() });
  });
  jobs.wake();
  return { success: true, message: "Machine ID creation in progress", data: { status: "pending" as const } };
}

function toConsent({ calldata, machineAddress, nonce, owner, target }: IdentityRequest, signature: string) {
  if (!isHex(calldata)) throw new Error("A stored call is not hexadecimal");
  const [machine, called] = [getAddress(machineAddress), getAddress(target)];
  return { owner: getAddress(owner), nonce, signature, machine, target: called, calldata };
}

/** Returns the member's record once it is registered. */
export async function readIdentity({ db }: ChainDeps, userId: string): Promise<MachineIdentity> {
  const { identity, latestJobs } = await readMember(db, userId);
  const job = latestJobs.execute;
  if (!job || !identity || !isDone(job)) return { success: true, message: "Machine ID not available", data: null };
  const data = {
    did_name: identity.didName,
    public_address: identity.machineAddress,
    // We run no relay, so nobody could write to an address here.
    private_relay_email: "",
    email_signature: identity.emailSignature,
    depinpair_signature: identity.ownerSignature ?? "",
    profile_id: userId,
    block_hash: job.blockHash ?? "",
    onboarding_tag: identity.tag,
    created_at: (job.completedAt ?? identity.requestedAt).toISOString(),
    owner: identity.owner,
  };
  return { success: true, message: "", data };
}
