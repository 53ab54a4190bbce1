import { and, asc, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { backgroundJobs } from "../db/schema.ts";

/* The queue as an operator sees it: never what is in a job, which is encrypted and somebody's. */

type Sought = { kind?: string | undefined; dead?: boolean | undefined; limit: number };

/** The longest due first; of those that were given up, and the others, or of one of the two. */
export const findJobs = (db: Db, { dead, kind, limit }: Sought) =>
  db
    .select({
      kind: backgroundJobs.kind,
      key: backgroundJobs.key,
      attempts: backgroundJobs.attempts,
      dueAt: backgroundJobs.dueAt,
      isInHand: sql<boolean>`${backgroundJobs.lease} is not null`,
      deadAt: backgroundJobs.deadAt,
      expiresAt: backgroundJobs.expiresAt,
      lastError: backgroundJobs.lastError,
    })
    .from(backgroundJobs)
    .where(and(kind === undefined ? undefined : eq(backgroundJobs.kind, kind), isDead(dead)))
    .orderBy(asc(backgroundJobs.dueAt), asc(backgroundJobs.kind), asc(backgroundJobs.key))
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
export async function reviveJob(tx: Tx, named: Named, now: Date): Promise<void> {
  const tomorrow = sql`${now.toISOString()}::timestamptz + interval '1 day'`;
  const expiresAt = sql`case when ${backgroundJobs.expiresAt} is not null then greatest(${backgroundJobs.expiresAt}, ${tomorrow}) end`;
  await tx
    .update(backgroundJobs)
    .set({ dueAt: now, attempts: 0, lease: null, deadAt: null, expiresAt })
    .where(isNamed(named));
}

export async function removeJob(tx: Tx, named: Named): Promise<void> {
  await tx.delete(backgroundJobs).where(isNamed(named));
}
