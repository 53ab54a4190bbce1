import { and, asc, eq, inArray, lt, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { mailQueue } from "../db/schema.ts";

export async function insertMail(tx: Tx, mail: typeof mailQueue.$inferInsert): Promise<void> {
  await tx.insert(mailQueue).values(mail);
}

/**
 * Takes mail that is due, oldest first, until `until`: nobody else gets it before. What another process is taking
 * at this moment is passed over, not waited for.
 */
export async function takeDue(db: Db, { now, until, limit }: { now: Date; until: Date; limit: number }) {
  const due = db
    .select({ id: mailQueue.id })
    .from(mailQueue)
    .where(lte(mailQueue.dueAt, now))
    .orderBy(asc(mailQueue.dueAt))
    .limit(limit)
    .for("update", { skipLocked: true });
  return db
    .update(mailQueue)
    .set({ dueAt: until, attempts: sql`${mailQueue.attempts} + 1` })
    .where(inArray(mailQueue.id, due))
    .returning();
}

export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.delete(mailQueue).where(eq(mailQueue.id, id));
}

/** Puts mail off, unless another process has taken it over meanwhile. */
export async function postponeMail(db: Db, { id, attempts, dueAt }: { id: string; attempts: number; dueAt: Date }) {
  await db
    .update(mailQueue)
    .set({ dueAt })
    .where(and(eq(mailQueue.id, id), eq(mailQueue.attempts, attempts)));
}

export async function deleteExpiredMail(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const expired = db.select({ id: mailQueue.id }).from(mailQueue).where(lt(mailQueue.expiresAt, before)).limit(limit);
  const { rowCount } = await db.delete(mailQueue).where(inArray(mailQueue.id, expired));
  return rowCount ?? 0;
}
