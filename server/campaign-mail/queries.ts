import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { campaignEmails, users } from "../db/schema.ts";
import { endingAt } from "../jobs/prune.ts";
import { CODE_ATTEMPTS } from "../mailed-code/contract.ts";

type PendingEmail = typeof campaignEmails.$inferSelect;

const isOpen = (now: Date) => and(isNull(campaignEmails.usedAt), gt(campaignEmails.expiresAt, now));

/** Locks a member's request until the transaction ends. Returns undefined if there is none yet. */
export async function lockPending(tx: Tx, userId: string): Promise<PendingEmail | undefined> {
  const [pending] = await tx.select().from(campaignEmails).where(eq(campaignEmails.userId, userId)).for("update");
  return pending;
}

/** Saves a member's request in place of the last one. */
export async function savePending(tx: Tx, pending: Omit<PendingEmail, "codeAttempts" | "usedAt">): Promise<void> {
  const renewed = { ...pending, codeAttempts: 0, usedAt: null };
  await tx.insert(campaignEmails).values(renewed).onConflictDoUpdate({ target: campaignEmails.userId, set: renewed });
}

type Named = { userId: string; tokenHash: Buffer };
const isNamed = ({ userId, tokenHash }: Named) =>
  and(eq(campaignEmails.userId, userId), eq(campaignEmails.tokenHash, tokenHash));

export async function findPending(db: Db, named: Named): Promise<PendingEmail | undefined> {
  const [pending] = await db.select().from(campaignEmails).where(isNamed(named));
  return pending;
}

/** Counts one attempt at the code before it is compared, so that simultaneous attempts count too. */
export async function countAttempt(db: Db, { now, ...named }: Named & { now: Date }) {
  const [pending] = await db
    .update(campaignEmails)
    .set({ codeAttempts: sql`${campaignEmails.codeAttempts} + 1` })
    .where(and(isNamed(named), isOpen(now), lt(campaignEmails.codeAttempts, CODE_ATTEMPTS)))
    .returning();
  return pending;
}

/** Uses up a code. Returns its address for the first use only. */
export async function usePending(tx: Tx, { now, ...named }: Named & { now: Date }) {
  const [used] = await tx
    .update(campaignEmails)
    .set({ usedAt: now })
    .where(and(isNamed(named), isOpen(now)))
    .returning({ email: campaignEmails.email });
  return used;
}

export async function saveEmail(tx: Tx, { userId, email, now }: { userId: string; email: string; now: Date }) {
  await tx.update(users).set({ campaignEmail: email, updatedAt: now }).where(eq(users.id, userId));
}

/**
 * Turns campaign emails on or off. The link in an old email still works after the account is deleted, but changes
 * nothing: no email is sent any more.
 */
export async function saveSubscription(db: Db, change: { userId: string; subscribed: boolean; now: Date }) {
  await db
    .update(users)
    .set({ campaignMail: change.subscribed, updatedAt: change.now })
    .where(and(eq(users.id, change.userId), isNull(users.deletedAt)));
}

export const OLD_CAMPAIGN_EMAILS = endingAt(campaignEmails.expiresAt);
