import { and, eq, isNull, lte } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { accountDeletions, nodeDevices, users } from "../db/schema.ts";

export async function findEmail(tx: Tx, userId: string): Promise<string | undefined> {
  const [member] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return member?.email;
}

/** False when it was asked for before: then the time stays as it was. */
export async function insertDeletion(tx: Tx, deletion: typeof accountDeletions.$inferInsert): Promise<boolean> {
  const inserted = await tx
    .insert(accountDeletions)
    .values(deletion)
    .onConflictDoNothing()
    .returning({ userId: accountDeletions.userId });
  return inserted.length === 1;
}

export async function findDueAt(tx: Tx, userId: string): Promise<Date | undefined> {
  const [deletion] = await tx
    .select({ dueAt: accountDeletions.dueAt })
    .from(accountDeletions)
    .where(eq(accountDeletions.userId, userId));
  return deletion?.dueAt;
}

/** True when there was one. */
export async function deleteDeletion(tx: Tx, userId: string): Promise<boolean> {
  const { rowCount } = await tx.delete(accountDeletions).where(eq(accountDeletions.userId, userId));
  return rowCount === 1;
}

/** Closes the accounts whose time is over. Returns whose. */
export function closeDue(tx: Tx, now: Date) {
  return tx
    .update(accountDeletions)
    .set({ closedAt: now })
    .where(and(lte(accountDeletions.dueAt, now), isNull(accountDeletions.closedAt)))
    .returning({ userId: accountDeletions.userId });
}

/** Ends the keys of all machines of a member's. */
export async function revokeKeys(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx
    .update(nodeDevices)
    .set({ revokedAt: now })
    .where(and(eq(nodeDevices.userId, userId), isNull(nodeDevices.revokedAt)));
}

/** Members whose accounts were closed before an instant, the oldest first. */
export async function findClosed(db: Db, { before, limit }: { before: Date; limit: number }): Promise<string[]> {
  const closed = await db
    .select({ userId: accountDeletions.userId })
    .from(accountDeletions)
    .where(lte(accountDeletions.closedAt, before))
    .orderBy(accountDeletions.dueAt)
    .limit(limit);
  return closed.map(({ userId }) => userId);
}

/** Takes a closed account in hand until the transaction ends; false when it is gone, kept, or in other hands. */
export async function lockClosed(tx: Tx, { userId, before }: { userId: string; before: Date }): Promise<boolean> {
  const [locked] = await tx
    .select({ userId: accountDeletions.userId })
    .from(accountDeletions)
    .where(and(eq(accountDeletions.userId, userId), lte(accountDeletions.closedAt, before)))
    .for("update", { skipLocked: true });
  return locked !== undefined;
}
