import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { accountDeletions, nodeDevices, users } from "../db/schema.ts";

/** False when it was asked for before: then the time stays as it was. */
export async function insertDeletion(tx: Tx, deletion: typeof accountDeletions.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(accountDeletions).values(deletion).onConflictDoNothing();
  return rowCount === 1;
}

/** Has a deletion be due by now, whether or not it was asked for. False where it was due before. */
export async function haveDue(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<boolean> {
  const { rowCount } = await tx
    .insert(accountDeletions)
    .values({ userId, requestedAt: now, dueAt: now })
    .onConflictDoUpdate({
      target: accountDeletions.userId,
      set: { dueAt: now },
      setWhere: gt(accountDeletions.dueAt, now),
    });
  return rowCount === 1;
}

/** Of such ids those of members, with when their accounts are to be deleted. */
export const findMembersOf = (db: Db, ids: readonly string[]) =>
  db
    .select({ id: users.id, email: users.email, dueAt: accountDeletions.dueAt })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    // As one parameter: there may be more of them than a statement takes.
    .where(and(sql`${users.id} = any(${sql.param(ids)}::uuid[])`, isNull(users.deletedAt)))
    .orderBy(asc(users.id));

/** The one that there was. */
export async function deleteDeletion(tx: Tx, userId: string) {
  const [deletion] = await tx.delete(accountDeletions).where(eq(accountDeletions.userId, userId)).returning();
  return deletion;
}

/** Changes the member, as far as pages that are open elsewhere can tell: they say that the account will be deleted. */
export async function markKept(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx.update(users).set({ updatedAt: now }).where(eq(users.id, userId));
}

/** Takes a deletion in hand until the transaction ends: nobody keeps the account meanwhile. */
export async function lockDeletion(tx: Tx, userId: string) {
  const [deletion] = await tx.select().from(accountDeletions).where(eq(accountDeletions.userId, userId)).for("update");
  return deletion;
}

export async function markClosed(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx.update(accountDeletions).set({ closedAt: now }).where(eq(accountDeletions.userId, userId));
}

type Due = { userId: string; dueAt: Date };

/** Ends the keys of all machines of a member's, as of when the deletion was due; returns how many. */
export async function revokeKeys(tx: Tx, { userId, dueAt }: Due): Promise<number> {
  const { rowCount } = await tx
    .update(nodeDevices)
    .set({ revokedAt: dueAt })
    .where(and(eq(nodeDevices.userId, userId), isNull(nodeDevices.revokedAt)));
  return rowCount ?? 0;
}

/** Has the keys that ended because the deletion was due work again; not those that the member has ended. */
export async function restoreKeys(tx: Tx, { userId, dueAt }: Due): Promise<void> {
  await tx
    .update(nodeDevices)
    .set({ revokedAt: null })
    .where(and(eq(nodeDevices.userId, userId), eq(nodeDevices.revokedAt, dueAt)));
}
