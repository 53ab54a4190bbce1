import { randomBytes } from "node:crypto";
import { hexToBigInt, type Hex } from "viem";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { AppError } from "../errors.ts";
import type { DeployConsent, ExecuteConsent, Job } from "./chain-gateway.ts";
import { dueAtOnce, enqueue } from "../jobs/queries.ts";
import { insertJob, type NewJob } from "./jobs.queries.ts";

/** The kind of a job on the chain. Its key is the id of the row in chain_jobs. */
export const CHAIN = "chain";

type Submitted = (DeployConsent | ExecuteConsent) & { userId: string };

/**
 * Records a request to the chain before anything is sent: to deploy an account, or to make a call by one. `digest` is
 * what `verifyConsent` returned. Throws CONFLICT if it was submitted before.
 */
export async function submit(tx: Tx, consent: Submitted, { digest, at }: { digest: Hex; at: Date }): Promise<Job> {
  const job = await insertJob(tx, { ...describeWork(consent), ...describeConsent(consent, digest), ...newJob(at) });
  if (!job) throw new AppError("CONFLICT", "This was already signed or started.");
  await enqueue(tx, { kind: CHAIN, key: job.id, dueAt: dueAtOnce(at) });
  return job;
}

const newJob = (at: Date) => ({ id: uuidv7(), state: "queued", createdAt: at }) satisfies Partial<NewJob>;

const describeConsent = ({ nonce, owner, signature, userId }: Submitted, consentDigest: Hex) => ({
  userId,
  owner: owner.toLowerCase(),
  consentDigest,
  consentNonce: nonce,
  consentSignature: signature,
});

/** A deployment gets our own factory nonce, because clients use milliseconds, which two of them may share. */
function describeWork(consent: Submitted) {
  if (!("machine" in consent)) return { kind: "deploy", stationNonce: randomNonce() } as const;
  const { calldata, machine, nonce, target } = consent;
  return { kind: "execute", stationNonce: nonce, machineAddress: machine, target, calldata } as const;
}

/** Returns a random number of 256 bits, which nobody has used before. */
export const randomNonce = () => hexToBigInt(`0x${randomBytes(32).toString("hex")}`).toString();
