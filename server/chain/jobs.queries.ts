import { and, eq, sql } from "drizzle-orm";
import { isHex, type Hex } from "viem";
import type { Db, Tx } from "../db/client.ts";
import { chainJobs, chainSenders } from "../db/schema.ts";
import type { Lease } from "../jobs/job.ts";
import { isHeld } from "../jobs/queries.ts";
import type { Job } from "./chain-gateway.ts";

export type NewJob = typeof chainJobs.$inferInsert;
export type JobChange = Partial<Omit<NewJob, "id" | "userId" | "kind">>;

/** Undefined where the consent was used before, or the member has a job of this kind that did not fail. */
export async function insertJob(tx: Tx, job: NewJob): Promise<Job | undefined> {
  const [inserted] = await tx.insert(chainJobs).values(job).onConflictDoNothing().returning();
  return inserted;
}

export async function findJob(db: Db, id: string): Promise<Job | undefined> {
  const [job] = await db.select().from(chainJobs).where(eq(chainJobs.id, id));
  return job;
}

/** The same, as it stays until the transaction ends: it may be going with its member's account. */
export async function holdJob(tx: Tx, id: string): Promise<Job | undefined> {
  const [job] = await tx.select().from(chainJobs).where(eq(chainJobs.id, id)).for("update");
  return job;
}

/** What the member of a job has had their machine call, in all their jobs. */
export async function listCalls(db: Db, { machineAddress, userId }: Job): Promise<Hex[]> {
  const isTheirs = and(eq(chainJobs.userId, userId), eq(chainJobs.machineAddress, machineAddress ?? ""));
  const jobs = await db.select({ calldata: chainJobs.calldata }).from(chainJobs).where(isTheirs);
  return jobs.flatMap(({ calldata }) => (isHex(calldata) ? [calldata] : []));
}

/** Whose write it is. */
type Holder = { db: Db | Tx; lease: Lease };

/** Undefined when another process has taken the job over meanwhile: what it does counts. */
export async function changeJob({ db, lease }: Holder, { id }: Job, change: JobChange): Promise<Job | undefined> {
  const [changed] = await db
    .update(chainJobs)
    .set(change)
    .where(and(eq(chainJobs.id, id), isHeld(db, lease)))
    .returning();
  return changed;
}

/** Whether nothing is left to do. */
export const isOver = ({ state }: Pick<Job, "state">): boolean => state === "finalized" || state === "failed";

/** The states in which a nonce is given out and may not be used yet. */
const UNDER_WAY = new Set<Job["state"]>(["signed", "sent", "mined"]);

/** A member's jobs with a transaction under way. None of their jobs goes on until this transaction ends. */
export async function holdUnderWay(tx: Tx, userId: string): Promise<Job[]> {
  const jobs = await tx.select().from(chainJobs).where(eq(chainJobs.userId, userId)).for("update");
  return jobs.filter(({ state }) => UNDER_WAY.has(state));
}

/** The last nonce that was given out for a sender. Nobody else gets one until the transaction ends. */
export async function lockSender(tx: Tx, address: string): Promise<number | null> {
  await tx.insert(chainSenders).values({ address }).onConflictDoNothing();
  const [sender] = await tx.select().from(chainSenders).where(eq(chainSenders.address, address)).for("update");
  return sender?.lastNonce ?? null;
}

/** Whether a job has a nonce of a sender, even one that is over. */
export async function isNonceTaken(tx: Db | Tx, sender: string, senderNonce: number): Promise<boolean> {
  const isOf = and(eq(chainJobs.sender, sender), eq(chainJobs.senderNonce, senderNonce));
  return (await tx.$count(chainJobs, isOf)) > 0;
}

/** The first nonce of a sender's from one on that no job has. */
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

/** For the version before this one, which goes on from it: this one looks for what is free among the jobs. */
export async function storeNonce(tx: Tx, address: string, lastNonce: number): Promise<void> {
  await tx.update(chainSenders).set({ lastNonce }).where(eq(chainSenders.address, address));
}
