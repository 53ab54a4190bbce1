import { and, count, desc, eq, gt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { nodeDevices, refusedBeats } from "../db/schema.ts";
import { DAY_SECONDS, endingAt } from "../jobs/prune.ts";

type NewRefused = typeof refusedBeats.$inferInsert;

/** Counts a member's refused heartbeats that arrived after `since`. */
export async function countRefused(db: Db | Tx, { userId, since }: { userId: string; since: Date }): Promise<number> {
  const [found] = await db
    .select({ number: count() })
    .from(refusedBeats)
    .where(and(eq(refusedBeats.userId, userId), gt(refusedBeats.receivedAt, since)));
  return found?.number ?? 0;
}

/** Deletes a member's refused heartbeats that arrived after `time`. Returns how many there were. */
export async function deleteRefusedAfter(
  db: Db | Tx,
  { userId, time }: { userId: string; time: Date },
): Promise<number> {
  const { rowCount } = await db
    .delete(refusedBeats)
    .where(and(eq(refusedBeats.userId, userId), gt(refusedBeats.receivedAt, time)));
  return rowCount ?? 0;
}

/** Inserts in key order, so that two batches at once cannot deadlock. Returns how many are new. */
export async function insertRefused(db: Db | Tx, beats: NewRefused[]): Promise<number> {
  const ordered = beats.toSorted((a, b) => a.claimedAt.getTime() - b.claimedAt.getTime());
  const { rowCount } = await db.insert(refusedBeats).values(ordered).onConflictDoNothing();
  return rowCount ?? 0;
}

/** Deletes all but the member's latest `kept` refused heartbeats. */
export async function deleteAllBut(db: Db | Tx, { userId, kept }: { userId: string; kept: number }): Promise<void> {
  const last = db
    .select({ receivedAt: refusedBeats.receivedAt, claimedAt: refusedBeats.claimedAt })
    .from(refusedBeats)
    .where(eq(refusedBeats.userId, userId))
    .orderBy(desc(refusedBeats.receivedAt), desc(refusedBeats.claimedAt))
    .offset(kept - 1)
    .limit(1);
  await db
    .delete(refusedBeats)
    .where(
      and(eq(refusedBeats.userId, userId), sql`(${refusedBeats.receivedAt}, ${refusedBeats.claimedAt}) < (${last})`),
    );
}

/** Finds a member's latest refused heartbeats, with the names of the machines that sent them. */
export const findRefused = (db: Db, { userId, limit }: { userId: string; limit: number }) =>
  db
    .select({
      claimedAt: refusedBeats.claimedAt,
      receivedAt: refusedBeats.receivedAt,
      reason: refusedBeats.reason,
      device: nodeDevices.name,
    })
    .from(refusedBeats)
    .leftJoin(nodeDevices, and(eq(nodeDevices.userId, refusedBeats.userId), eq(nodeDevices.id, refusedBeats.deviceId)))
    .where(eq(refusedBeats.userId, userId))
    .orderBy(desc(refusedBeats.receivedAt), desc(refusedBeats.claimedAt))
    .limit(limit);

export const oldRefusedBeats = (days: number) => endingAt(refusedBeats.receivedAt, days * DAY_SECONDS);
