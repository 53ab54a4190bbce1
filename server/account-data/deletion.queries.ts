import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { accountDeletions, nodeDevices, users } from "../db/schema.ts";

/** Adds a deletion. Returns false if there is one already, whose date then stays. */
export async function insertDeletion(tx: Tx, deletion: typeof accountDeletions.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(accountDeletions).values(deletion).onConflictDoNothing();
  return rowCount === 1;
}

/** Makes a deletion due now, even if nobody asked for one. Returns false if it was already due. */
export async function makeDeletionDue(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<boolean> {
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

/** Finds those of these ids that are members, with the date when their account is to be deleted. */
export const findMembersOf = (db: Db, ids: readonly string[]) =>
  db
    .select({ id: users.id, email: users.email, dueAt: accountDeletions.dueAt })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    // One parameter for all ids, of which there may be more than a statement takes.
    .where(and(sql`${users.id} = any(${sql.param(ids)}::uuid[])`, isNull(users.deletedAt)))
    .orderBy(asc(users.id));

/** Removes a deletion. Returns it if there was one. */
export async function deleteDeletion(tx: Tx, userId: string) {
  const [deletion] = await tx.delete(accountDeletions).where(eq(accountDeletions.userId, userId)).returning();
  return deletion;
}

/** Marks the member as changed, so that pages that are open elsewhere stop saying that the account will be deleted. */
export async function touchMember(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx.update(users).set({ updatedAt: now }).where(eq(users.id, userId));
}

/** Locks a deletion until the transaction ends, so that nobody keeps the account meanwhile. */
export async function lockDeletion(tx: Tx, userId: string) {
  const [deletion] = await tx.select().from(accountDeletions).where(eq(accountDeletions.userId, userId)).for("update");
  return deletion;
}

export async function markClosed(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx.update(accountDeletions).set({ closedAt: now }).where(eq(accountDeletions.userId, userId));
}

type Due = { userId: string; dueAt: Date };

/** Ends the keys of all of a member's machines, as of when the deletion was due. Returns how many. */
export async function revokeKeys(tx: Tx, { userId, dueAt }: Due): Promise<number> {
  const { rowCount } = await tx
    .update(nodeDevices)
    .set({ revokedAt: dueAt })
    .where(and(eq(nodeDevices.userId, userId), isNull(nodeDevices.revokedAt)));
  return rowCount ?? 0;
}

/** Restores the keys that ended because the deletion was due, but not those that the member ended. */
export async function restoreKeys(tx: Tx, { userId, dueAt }: Due): Promise<void> {
  await tx
    .update(nodeDevices)
    .set({ revokedAt: null })
    .where(and(eq(nodeDevices.userId, userId), eq(nodeDevices.revokedAt, dueAt)));
}
