import { and, desc, eq, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { chainJobs, chainSenders } from "../db/schema.ts";
import type { Lease } from "../jobs/job.ts";
import { isHeld } from "../jobs/queries.ts";
import type { Job } from "./chain-gateway.ts";

export type NewJob = typeof chainJobs.$inferInsert;
export type JobChange = Partial<Omit<NewJob, "id" | "userId" | "kind">>;

/** Inserts a job. Returns undefined if the consent was used before, or a job of this kind exists that did not fail. */
export async function insertJob(tx: Tx, job: NewJob): Promise<Job | undefined> {
  const [inserted] = await tx.insert(chainJobs).values(job).onConflictDoNothing().returning();
  return inserted;
}

export async function findJob(db: Db, id: string): Promise<Job | undefined> {
  const [job] = await db.select().from(chainJobs).where(eq(chainJobs.id, id));
  return job;
}

/** Does the same and locks the job until the transaction ends. The job may be about to go with its member's account. */
export async function lockChainJob(tx: Tx, id: string): Promise<Job | undefined> {
  const [job] = await tx.select().from(chainJobs).where(eq(chainJobs.id, id)).for("update");
  return job;
}

/** Lists a member's other jobs with the same machine, the latest first. */
export async function listOthers(db: Db, { id, machineAddress, userId }: Job): Promise<Job[]> {
  const isTheirs = and(eq(chainJobs.userId, userId), eq(chainJobs.machineAddress, machineAddress ?? ""));
  return db
    .select()
    .from(chainJobs)
    .where(and(isTheirs, ne(chainJobs.id, id)))
    .orderBy(desc(chainJobs.id));
}

/** The database connection and the lease with which a job is changed. */
type Holder = { db: Db | Tx; lease: Lease };

/** Changes a job. Returns undefined if another process has taken it over: then only that one's changes count. */
export async function changeJob({ db, lease }: Holder, { id }: Job, change: JobChange): Promise<Job | undefined> {
  const [changed] = await db
    .update(chainJobs)
    .set(change)
    .where(and(eq(chainJobs.id, id), isHeld(db, lease)))
    .returning();
  return changed;
}

/** Whether nothing is left to do for a job. */
export const isOver = ({ state }: Pick<Job, "state">): boolean => state === "finalized" || state === "failed";

/** The states in which a job has a nonce that may still be unused. */
const UNDER_WAY = new Set<Job["state"]>(["signed", "sent", "mined"]);

/** Returns a member's jobs with a transaction under way. Locks all their jobs until this transaction ends. */
export async function lockJobsInFlight(tx: Tx, userId: string): Promise<Job[]> {
  const jobs = await tx.select().from(chainJobs).where(eq(chainJobs.userId, userId)).for("update");
  return jobs.filter(({ state }) => UNDER_WAY.has(state));
}

/**
 * Returns the last nonce given out for a sender. Locks the sender: nobody else gets a nonce until the transaction ends.
 */
export async function lockSender(tx: Tx, address: string): Promise<number | null> {
  await tx.insert(chainSenders).values({ address }).onConflictDoNothing();
  const [sender] = await tx.select().from(chainSenders).where(eq(chainSenders.address, address)).for("update");
  return sender?.lastNonce ?? null;
}

/** Whether any job has this nonce of a sender, even a job that is over. */
export async function isNonceTaken(tx: Db | Tx, sender: string, senderNonce: number): Promise<boolean> {
  const isOf = and(eq(chainJobs.sender, sender), eq(chainJobs.senderNonce, senderNonce));
  return (await tx.$count(chainJobs, isOf)) > 0;
}

/** Returns the first nonce of a sender, starting with `from`, that no job has. */
export async function findFreeNonce(tx: Db | Tx, { sender, from }: { sender: string; from: number }): Promise<number> {
  const { rows } = await tx.execute<{ nonce: string }>(sql`
    with taken as (
      select ${chainJobs.senderNonce} as nonce from ${chainJobs}
      where ${chainJobs.sender} = ${sender} and ${chainJobs.senderNonce} >= ${from}
    )
    select min(nonce) as nonce from (select ${from}::bigint as nonce union all select nonce + 1 from taken) as next
    where nonce not in (select nonce from taken)`);
  return Number(rows[0]?.nonce);
}

/**
 * Stores the nonce for the previous version, which counts on from it. This version looks for a free one among the jobs.
 */
export async function storeNonce(tx: Tx, address: string, lastNonce: number): Promise<void> {
  await tx.update(chainSenders).set({ lastNonce }).where(eq(chainSenders.address, address));
}
