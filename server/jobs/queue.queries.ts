import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { backgroundJobs } from "../db/schema.ts";
import { dueAtOnce } from "./queries.ts";

/* The queue as an operator sees it: never what is in a job, which is encrypted and somebody's. */

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

/** The longest due first; of those that were given up, and the others, or of one of the two. */
export const findJobs = (db: Db, { dead, kind, limit }: Sought) =>
  db
    .select(QUEUE_COLUMNS)
    .from(backgroundJobs)
    .where(and(kind === undefined ? undefined : eq(backgroundJobs.kind, kind), isDead(dead)))
    .orderBy(asc(backgroundJobs.dueAt), asc(backgroundJobs.kind), asc(backgroundJobs.key))
    .limit(limit);

/** The keys of those, of some jobs of a kind, whose last attempt failed. */
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
 * A page of one kind, or of all others, by kind and key, which an index has: of all, or of those that were given up.
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

/** Letters by the hashes of their recipients, the latest first. */
export const findLetters = (db: Db, { recipients, limit }: { recipients: Buffer[]; limit: number }) =>
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

/** A job, which nobody takes in hand, or is done with, until the transaction ends. */
export async function lockJob(tx: Tx, named: Named) {
  const [job] = await tx.select().from(backgroundJobs).where(isNamed(named)).for("update");
  return job;
}

/** Has a job done now, as if it had never been tried; one that ends has another day at least. */
export const reviveJob = (tx: Tx, named: Named, now: Date): Promise<void> => revive(tx, isNamed(named), now);

async function revive(tx: Tx, which: SQL | undefined, now: Date): Promise<void> {
  const tomorrow = sql`${now.toISOString()}::timestamptz + interval '1 day'`;
  const expiresAt = sql`case when ${backgroundJobs.expiresAt} is not null then greatest(${backgroundJobs.expiresAt}, ${tomorrow}) end`;
  const dueAt = dueAtOnce(now);
  await tx.update(backgroundJobs).set({ dueAt, attempts: 0, lease: null, deadAt: null, expiresAt }).where(which);
}

type Dead = { kind: string; now: Date; limit: number };

/** The same for those of a kind that were given up, as many at once, in the order of their keys. Returns the keys. */
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
