import { and, asc, desc, eq, inArray, lte, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { chainJobs, chainSenders } from "../db/schema.ts";
import type { Job, JobKind } from "./chain-gateway.ts";

export type NewJob = typeof chainJobs.$inferInsert;
export type JobChange = Partial<Omit<NewJob, "id" | "userId" | "kind">>;

/** Undefined where the consent was used before, or the member has a job of this kind that did not fail. */
export async function insertJob(tx: Tx, job: NewJob): Promise<Job | undefined> {
  const [inserted] = await tx.insert(chainJobs).values(job).onConflictDoNothing().returning();
  return inserted;
}

export async function findLatestJob(db: Db | Tx, userId: string, kind: JobKind): Promise<Job | undefined> {
  const [job] = await db
    .select()
    .from(chainJobs)
    .where(and(eq(chainJobs.userId, userId), eq(chainJobs.kind, kind)))
    .orderBy(desc(chainJobs.createdAt), desc(chainJobs.id))
    .limit(1);
  return job;
}

/** Every job of a member, the oldest first. */
export function findJobs(db: Db | Tx, userId: string): Promise<Job[]> {
  return db
    .select()
    .from(chainJobs)
    .where(eq(chainJobs.userId, userId))
    .orderBy(asc(chainJobs.createdAt), asc(chainJobs.id));
}

/** Takes jobs that are due until `until`: those under way first, what is new after them, the oldest of each first. */
export function takeDueJobs(db: Db, { now, until, limit }: { now: Date; until: Date; limit: number }): Promise<Job[]> {
  const due = db
    .select({ id: chainJobs.id })
    .from(chainJobs)
    .where(and(lte(chainJobs.dueAt, now), notInArray(chainJobs.state, ["finalized", "failed"])))
    .orderBy(sql`${chainJobs.state} = 'queued'`, asc(chainJobs.createdAt), asc(chainJobs.id))
    .limit(limit)
    .for("update", { skipLocked: true });
  return db
    .update(chainJobs)
    .set({ dueAt: until, turn: sql`${chainJobs.turn} + 1` })
    .where(inArray(chainJobs.id, due))
    .returning();
}

/** Ends whatever was taken: for a start of the only process there is, since nobody else can be at it. */
export async function releaseJobs(db: Db, now: Date): Promise<void> {
  const isUnfinished = notInArray(chainJobs.state, ["finalized", "failed"]);
  await db
    .update(chainJobs)
    .set({ dueAt: now, turn: sql`${chainJobs.turn} + 1` })
    .where(isUnfinished);
}

/** Undefined when another process has taken the job over meanwhile: what it does counts. */
export async function changeJob(db: Db | Tx, { id, turn }: Job, change: JobChange): Promise<Job | undefined> {
  const [changed] = await db
    .update(chainJobs)
    .set(change)
    .where(and(eq(chainJobs.id, id), eq(chainJobs.turn, turn)))
    .returning();
  return changed;
}

/** The last nonce that was given out for a sender. Nobody else gets one until the transaction ends. */
export async function lockSender(tx: Tx, address: string): Promise<number | null> {
  await tx.insert(chainSenders).values({ address }).onConflictDoNothing();
  const [sender] = await tx.select().from(chainSenders).where(eq(chainSenders.address, address)).for("update");
  return sender?.lastNonce ?? null;
}

export async function storeNonce(tx: Tx, address: string, lastNonce: number): Promise<void> {
  await tx.update(chainSenders).set({ lastNonce }).where(eq(chainSenders.address, address));
}
