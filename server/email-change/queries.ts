import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { emailChanges } from "../db/schema.ts";
import { endingAt } from "../jobs/prune.ts";
import { CODE_ATTEMPTS } from "../mailed-code/contract.ts";

export type PendingChange = typeof emailChanges.$inferSelect;

export async function findChange(db: Db, userId: string): Promise<PendingChange | undefined> {
  const [change] = await db.select().from(emailChanges).where(eq(emailChanges.userId, userId));
  return change;
}

/** Locks a member's request until the transaction ends. If two requests want the next email, the second must wait. */
export async function lockChange(tx: Tx, userId: string): Promise<PendingChange | undefined> {
  const [change] = await tx.select().from(emailChanges).where(eq(emailChanges.userId, userId)).for("update");
  return change;
}

/** Saves a member's request in place of the last one, with a full set of attempts. */
export async function saveChange(tx: Tx, change: Omit<PendingChange, "codeAttempts">): Promise<void> {
  const renewed = { ...change, codeAttempts: 0 };
  await tx.insert(emailChanges).values(renewed).onConflictDoUpdate({ target: emailChanges.userId, set: renewed });
}

/** Counts one attempt at the code before it is compared, so that simultaneous attempts count too. */
export async function countAttempt(db: Db, { userId, now }: { userId: string; now: Date }) {
  const [change] = await db
    .update(emailChanges)
    .set({ codeAttempts: sql`${emailChanges.codeAttempts} + 1` })
    .where(
      and(
        eq(emailChanges.userId, userId),
        gt(emailChanges.expiresAt, now),
        lt(emailChanges.codeAttempts, CODE_ATTEMPTS),
      ),
    )
    .returning();
  return change;
}

/** Removes the request whose code was right. Returns true for the first use only. */
export async function useChange(tx: Tx, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const { rowCount } = await tx
    .delete(emailChanges)
    .where(and(eq(emailChanges.userId, userId), eq(emailChanges.id, id)));
  return rowCount === 1;
}

export const OLD_EMAIL_CHANGES = endingAt(emailChanges.expiresAt);
