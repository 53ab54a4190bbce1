import { and, eq, exists, getTableColumns, gt, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { passwordResets, users } from "../../db/schema.ts";
import { endingAt } from "../../jobs/prune.ts";
import { RECOVERY_LIFETIME_SECONDS } from "../contract.ts";

export type PasswordReset = typeof passwordResets.$inferSelect;

export async function insertReset(tx: Tx, reset: typeof passwordResets.$inferInsert): Promise<void> {
  await tx.insert(passwordResets).values(reset);
}

/**
 * Locks the reset until the transaction ends. Of two requests for the next email, the second finds the ladder climbed.
 */
export async function lockReset(tx: Tx, tokenHash: Buffer): Promise<PasswordReset | undefined> {
  const [reset] = await tx.select().from(passwordResets).where(eq(passwordResets.tokenHash, tokenHash)).for("update");
  return reset;
}

export async function findReset(db: Db, by: { tokenHash: Buffer } | { linkHash: Buffer }) {
  const condition =
    "tokenHash" in by ? eq(passwordResets.tokenHash, by.tokenHash) : eq(passwordResets.linkHash, by.linkHash);
  const [reset] = await db.select().from(passwordResets).where(condition);
  return reset;
}

export async function renewMail(
  tx: Tx,
  id: string,
  renewal: Pick<PasswordReset, "linkHash" | "resendState" | "mailedAt">,
) {
  await tx.update(passwordResets).set(renewal).where(eq(passwordResets.id, id));
}

/** Undoes a renewal whose email could not be sent, unless another one has followed it. */
export async function undoRenewal(db: Db, before: PasswordReset, renewedAt: Date): Promise<void> {
  const { id, linkHash, mailedAt, resendState } = before;
  const isIt = and(eq(passwordResets.id, id), eq(passwordResets.mailedAt, renewedAt));
  await db.update(passwordResets).set({ linkHash, mailedAt, resendState }).where(isIt);
}

/**
 * Whether the member still signs in with the address that the link was mailed to. A request that was in progress while
 * the address changed has escaped endResetsOf, and a reader of the former mailbox must not get in with it.
 */
const ofPresentAddress = (db: Db | Tx) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.id, passwordResets.userId), eq(users.email, passwordResets.email))),
  );

type Opening = { linkHash: Buffer; recoveryHash: Buffer; recoveryExpiresAt: Date; now: Date };

/**
 * Opens the recovery session of a link, for the first opening only. Returns the address that the link was mailed to.
 */
export async function openReset(db: Db, { linkHash, now, ...recovery }: Opening) {
  const [opened] = await db
    .update(passwordResets)
    .set(recovery)
    .where(
      and(
        eq(passwordResets.linkHash, linkHash),
        ofPresentAddress(db),
        isNull(passwordResets.recoveryHash),
        isNull(passwordResets.usedAt),
        gt(passwordResets.expiresAt, now),
      ),
    )
    .returning({ email: passwordResets.email });
  return opened;
}

/** Finds the recovery session of a token, as long as the member has the address that its link was mailed to. */
export async function findRecovery(db: Db, recoveryHash: Buffer) {
  const [recovery] = await db
    .select({ ...getTableColumns(passwordResets), userId: users.id })
    .from(passwordResets)
    .innerJoin(users, and(eq(users.id, passwordResets.userId), eq(users.email, passwordResets.email)))
    .where(eq(passwordResets.recoveryHash, recoveryHash));
  return recovery;
}

/** Uses up a recovery session. Returns true only for the first use, and only in time. */
export async function useRecovery(db: Db | Tx, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const { rowCount } = await db
    .update(passwordResets)
    .set({ usedAt: now })
    .where(
      and(
        eq(passwordResets.id, id),
        ofPresentAddress(db),
        isNull(passwordResets.usedAt),
        gt(passwordResets.recoveryExpiresAt, now),
      ),
    );
  return rowCount === 1;
}

/** Undoes a use that came to nothing, unless the recovery has ended meanwhile. */
export async function undoRecoveryUse(db: Db, { id, usedAt }: { id: string; usedAt: Date }) {
  await db
    .update(passwordResets)
    .set({ usedAt: null })
    .where(and(eq(passwordResets.id, id), eq(passwordResets.usedAt, usedAt)));
}

/**
 * Ends a member's open resets after the password has changed. This includes one that is in use and might be given back.
 */
export async function endResetsOf(tx: Tx, { userId, now }: { userId: string; now: Date }) {
  await tx.update(passwordResets).set({ usedAt: now }).where(eq(passwordResets.userId, userId));
}

/**
 * The resets to delete. A recovery session that was opened in the last minute outlives its link, so resets are kept
 * that much longer.
 */
export const OLD_RESETS = endingAt(passwordResets.expiresAt, RECOVERY_LIFETIME_SECONDS);
