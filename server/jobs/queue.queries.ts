import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { backgroundJobs } from "../db/schema.ts";
import { dueAtOnce } from "./queries.ts";

/* The queue as operators see it. Never includes payloads, which are encrypted and personal. */

type Sought = { kind?: string | undefined; dead?: boolean | undefined; limit: number };

export const QUEUE_COLUMNS = {
  kind: backgroundJobs.kind,
  key: backgroundJobs.key,
  attempts: backgroundJobs.attempts,
  dueAt: backgroundJobs.dueAt,
  isInHand: sql<boolean>`${backgroundJobs.lease} is not null`,
  deadAt: backgroundJobs.deadAt,
  expiresAt: backgroundJobs.expiresAt,
  lastError: backgroundJobs.lastError,
};

export type FoundJob = Awaited<ReturnType<typeof findJobs>>[number];

/** Finds jobs, those due for longest first: dead ones, the others, or both if `dead` is undefined. */
export const findJobs = (db: Db, { dead, kind, limit }: Sought) =>
  db
    .select(QUEUE_COLUMNS)
    .from(backgroundJobs)
    .where(and(kind === undefined ? undefined : eq(backgroundJobs.kind, kind), isDead(dead)))
    .orderBy(asc(backgroundJobs.dueAt), asc(backgroundJobs.kind), asc(backgroundJobs.key))
    .limit(limit);

/** Returns which of the given jobs of a kind failed in their last attempt, by key. */
export async function listFailing(db: Db, { keys, kind }: { kind: string; keys: string[] }): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const isAsked = and(eq(backgroundJobs.kind, kind), inArray(backgroundJobs.key, keys));
  const failing = await db
    .select({ key: backgroundJobs.key })
    .from(backgroundJobs)
    .where(and(isAsked, isNotNull(backgroundJobs.lastError)));
  return new Set(failing.map(({ key }) => key));
}

type Page = { kind: string; others: boolean; dead: boolean; after: Named | undefined; limit: number };

/**
 * Finds a page of jobs of one kind, or of all other kinds: all of them, or only dead ones. Ordered by kind and key,
 * which have an index.
 */
export const findPage = (db: Db, { kind, others, dead, after, limit }: Page) =>
  db
    .select(QUEUE_COLUMNS)
    .from(backgroundJobs)
    .where(
      and(
        others ? or(lt(backgroundJobs.kind, kind), gt(backgroundJobs.kind, kind)) : eq(backgroundJobs.kind, kind),
        dead ? isNotNull(backgroundJobs.deadAt) : undefined,
        after && sql`(${backgroundJobs.kind}, ${backgroundJobs.key}) > (${after.kind}, ${after.key})`,
      ),
    )
    .orderBy(asc(backgroundJobs.kind), asc(backgroundJobs.key))
    .limit(limit);

/** Finds emails by the hashes of their recipients, the latest first. */
export const findQueuedEmails = (db: Db, { recipients, limit }: { recipients: Buffer[]; limit: number }) =>
  db
    .select(QUEUE_COLUMNS)
    .from(backgroundJobs)
    .where(inArray(backgroundJobs.recipient, recipients))
    .orderBy(desc(backgroundJobs.key))
    .limit(limit);

function isDead(dead: boolean | undefined): SQL | undefined {
  if (dead === undefined) return undefined;
  return dead ? isNotNull(backgroundJobs.deadAt) : isNull(backgroundJobs.deadAt);
}

type Named = Pick<typeof backgroundJobs.$inferSelect, "kind" | "key">;

const isNamed = ({ kind, key }: Named) => and(eq(backgroundJobs.kind, kind), eq(backgroundJobs.key, key));

/** Returns a job and locks it, so that nobody takes or finishes it until the transaction ends. */
export async function lockJob(tx: Tx, named: Named) {
  const [job] = await tx.select().from(backgroundJobs).where(isNamed(named)).for("update");
  return job;
}

/** Makes a job due now, as if it had never been tried. If it expires, it gets at least another day. */
export const reviveJob = (tx: Tx, named: Named, now: Date): Promise<void> => revive(tx, isNamed(named), now);

async function revive(tx: Tx, which: SQL | undefined, now: Date): Promise<void> {
  const tomorrow = sql`${now.toISOString()}::timestamptz + interval '24 hours'`;
  const expiresAt = sql`case when ${backgroundJobs.expiresAt} is not null then greatest(${backgroundJobs.expiresAt}, ${tomorrow}) end`;
  const dueAt = dueAtOnce(now);
  await tx.update(backgroundJobs).set({ dueAt, attempts: 0, lease: null, deadAt: null, expiresAt }).where(which);
}

type Dead = { kind: string; now: Date; limit: number };

/** Does the same for a limited number of a kind's dead jobs, in the order of their keys. Returns the keys. */
export async function reviveDead(tx: Tx, { kind, now, limit }: Dead): Promise<string[]> {
  const dead = await tx
    .select({ key: backgroundJobs.key })
    .from(backgroundJobs)
    .where(and(eq(backgroundJobs.kind, kind), isNotNull(backgroundJobs.deadAt)))
    .orderBy(asc(backgroundJobs.key))
    .limit(limit)
    .for("update", { skipLocked: true });
  const keys = dead.map(({ key }) => key);
  if (keys.length > 0) await revive(tx, and(eq(backgroundJobs.kind, kind), inArray(backgroundJobs.key, keys)), now);
  return keys;
}

export async function removeJob(tx: Tx, named: Named): Promise<void> {
  await tx.delete(backgroundJobs).where(isNamed(named));
}
