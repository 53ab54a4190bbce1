import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { backgroundJobs, chainJobs, machineIdentities, users } from "../db/schema.ts";
import { CHAIN } from "../chain/submit.ts";
import { QUEUE_COLUMNS } from "../jobs/queue.queries.ts";
import type { ChainJobState } from "./contract.ts";

/** Nothing that was signed or would be sent. */
const SHOWN = {
  id: chainJobs.id,
  kind: chainJobs.kind,
  state: chainJobs.state,
  owner: chainJobs.owner,
  machineAddress: chainJobs.machineAddress,
  txHash: chainJobs.txHash,
  replacedHashes: chainJobs.replacedHashes,
  blockNumber: chainJobs.blockNumber,
  sender: chainJobs.sender,
  senderNonce: chainJobs.senderNonce,
  errorName: chainJobs.errorName,
  attempts: chainJobs.attempts,
  userId: chainJobs.userId,
  createdAt: chainJobs.createdAt,
  sentAt: chainJobs.sentAt,
  completedAt: chainJobs.completedAt,
  failedAt: chainJobs.failedAt,
};

/**
 * Whether the member still wants a failed job: they have not started another one since, have not linked another wallet
 * to deploy for, and have not been asked to sign another identity.
 */
const isWanted = sql<boolean>`(
  not exists (
    select from ${chainJobs} as other
    where other.user_id = ${chainJobs.userId} and other.kind = ${chainJobs.kind} and other.state <> 'failed'
  )
  and case ${chainJobs.kind}
    when 'deploy' then exists (
      select from ${users} as member
      where member.id = ${chainJobs.userId} and lower(member.wallet) = ${chainJobs.owner}
    )
    else exists (
      select from ${machineIdentities} as asked
      where asked.user_id = ${chainJobs.userId} and asked.nonce = ${chainJobs.consentNonce} and asked.signed_at is not null
    )
  end
)`;

/** Selects jobs with their member, their entry in the queue, and whether they can be retried after a failure. */
function selectJobs(db: Db | Tx) {
  return db
    .select({
      job: SHOWN,
      email: emailOf(users),
      work: QUEUE_COLUMNS,
      isWanted,
    })
    .from(chainJobs)
    .innerJoin(users, eq(users.id, chainJobs.userId))
    .leftJoin(backgroundJobs, and(eq(backgroundJobs.kind, CHAIN), eq(backgroundJobs.key, sql`${chainJobs.id}::text`)));
}

export type FoundChainJob = Awaited<ReturnType<typeof findChainJobs>>[number];

type Page = { state?: ChainJobState | undefined; after?: string | undefined; limit: number };

/** Finds a page of jobs, the newest first. */
export const findChainJobs = (db: Db, { state, after, limit }: Page) =>
  selectJobs(db)
    .where(
      and(
        state === undefined ? undefined : eq(chainJobs.state, state),
        after === undefined ? undefined : lt(chainJobs.id, after),
      ),
    )
    .orderBy(desc(chainJobs.id))
    .limit(limit);

export async function findChainJob(db: Db | Tx, id: string): Promise<FoundChainJob | undefined> {
  const [found] = await selectJobs(db).where(eq(chainJobs.id, id));
  return found;
}

/**
 * Locks the member of a job, so that they cannot start another one or link another wallet until the transaction ends.
 */
export async function lockOwner(tx: Tx, id: string): Promise<void> {
  const owner = tx.select({ id: chainJobs.userId }).from(chainJobs).where(eq(chainJobs.id, id));
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, owner)).for("no key update");
}

/**
 * Restarts a failed job with a new transaction. Forgets its former hashes, because a receipt of theirs would make it
 * fail again. If one of those transactions is mined later, the station's nonce has been used, which is noticed. Returns
 * false if the job has not failed or is no longer wanted.
 */
export async function requeueFailed(tx: Tx, id: string): Promise<boolean> {
  const begin = {
    state: "queued" as const,
    replacedHashes: [],
    txHash: null,
    rawTx: null,
    sender: null,
    senderNonce: null,
    blockHash: null,
    blockNumber: null,
    errorName: null,
    attempts: 0,
    sentAt: null,
    failedAt: null,
  };
  const { rowCount } = await tx
    .update(chainJobs)
    .set(begin)
    .where(and(eq(chainJobs.id, id), eq(chainJobs.state, "failed"), isWanted));
  return rowCount === 1;
}
