import { and, asc, desc, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { heartbeats, heartbeatTotals, nodeDevices, silenceMails, users } from "../db/schema.ts";

type Choice = typeof silenceMails.$inferInsert;

/**
 * Saves a member's choice. Keeps the silence that was last emailed, unless it ended while the emails were off: nobody
 * waits for news of its end.
 */
export async function saveChoice(db: Db, { userId, ...choice }: Choice): Promise<void> {
  await db
    .insert(silenceMails)
    .values({ userId, ...choice })
    .onConflictDoUpdate({
      target: silenceMails.userId,
      set: { ...choice, mailedFor: sql`case when ${isOver} then null else ${silenceMails.mailedFor} end` },
    });
}

const isOver = sql`${silenceMails.afterHours} is null and exists (
  select from ${heartbeatTotals} where ${heartbeatTotals.userId} = ${silenceMails.userId}
    and ${heartbeatTotals.lastBeatAt} > ${silenceMails.mailedFor})`;

export async function turnOffSilenceMail(db: Db, userId: string): Promise<void> {
  await db.update(silenceMails).set({ afterHours: null, lookAt: null }).where(eq(silenceMails.userId, userId));
}

/** Makes checks due now that are postponed beyond the longest possible wait, as by a clock that was far ahead. */
export async function bringForward(db: Db, { now, latest }: { now: Date; latest: Date }): Promise<void> {
  await db.update(silenceMails).set({ lookAt: now }).where(gt(silenceMails.lookAt, latest));
}

/**
 * Finds the members whose nodes are due for a check, the longest due first, and locks them until the transaction ends.
 * Skips those that another process is checking.
 */
export function lockDueChecks(tx: Db | Tx, { now, limit }: { now: Date; limit: number }) {
  const lastBeat = tx
    .select({ heardAt: heartbeats.receivedAt })
    .from(heartbeats)
    .where(eq(heartbeats.userId, silenceMails.userId))
    .orderBy(desc(heartbeats.slotAt))
    .limit(1)
    .as("last_beat");
  return tx
    .select({
      userId: silenceMails.userId,
      afterHours: silenceMails.afterHours,
      tellsReturn: silenceMails.tellsReturn,
      chosenAt: silenceMails.chosenAt,
      mailedFor: silenceMails.mailedFor,
      lastBeatAt: heartbeatTotals.lastBeatAt,
      lastHeardAt: lastBeat.heardAt,
      email: users.email,
      isBlocked: sql<boolean>`${isNotNull(users.blockedAt)}`,
    })
    .from(silenceMails)
    .innerJoin(users, eq(users.id, silenceMails.userId))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, silenceMails.userId))
    .leftJoinLateral(lastBeat, sql`true`)
    .where(lte(silenceMails.lookAt, now))
    .orderBy(asc(silenceMails.lookAt))
    .limit(limit)
    .for("update", { of: silenceMails, skipLocked: true });
}

type Check = { userId: string; mailedFor: Date | null; lookAt: Date };

export async function saveCheck(tx: Tx, { userId, ...check }: Check): Promise<void> {
  await tx.update(silenceMails).set(check).where(eq(silenceMails.userId, userId));
}

/** Returns the name of the machine that sent the heartbeat in this slot, if it has one. */
export async function findMachine(tx: Tx, { userId, slotAt }: { userId: string; slotAt: Date }) {
  const [machine] = await tx
    .select({ name: nodeDevices.name })
    .from(heartbeats)
    .innerJoin(nodeDevices, and(eq(nodeDevices.userId, heartbeats.userId), eq(nodeDevices.id, heartbeats.deviceId)))
    .where(and(eq(heartbeats.userId, userId), eq(heartbeats.slotAt, slotAt)));
  return machine?.name;
}
