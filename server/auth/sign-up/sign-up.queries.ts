import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { signUps } from "../../db/schema.ts";
import { endingAt } from "../../jobs/prune.ts";
import { CODE_ATTEMPTS } from "../../mailed-code/contract.ts";

export type SignUp = typeof signUps.$inferSelect;

const isOpen = (now: Date) => and(isNull(signUps.usedAt), gt(signUps.expiresAt, now));

export async function insertSignUp(tx: Tx, signUp: typeof signUps.$inferInsert): Promise<void> {
  await tx.insert(signUps).values(signUp);
}

export async function findSignUp(db: Db | Tx, by: { tokenHash: Buffer } | { linkHash: Buffer }) {
  const condition = "tokenHash" in by ? eq(signUps.tokenHash, by.tokenHash) : eq(signUps.linkHash, by.linkHash);
  const [signUp] = await db.select().from(signUps).where(condition);
  return signUp;
}

/** Finds the open sign-ups of an address, the latest first. If there are several, some may be a stranger's. */
export function findOpenSignUps(db: Db | Tx, { email, now }: { email: string; now: Date }): Promise<SignUp[]> {
  return db
    .select()
    .from(signUps)
    .where(and(eq(sql`lower(${signUps.email})`, email.toLowerCase()), isOpen(now)))
    .orderBy(desc(signUps.id));
}

/**
 * Finds the latest open sign-up, to learn the inviter. Returns undefined if the open sign-ups name different inviters.
 */
export async function findOpenSignUp(db: Db | Tx, sought: { email: string; now: Date }): Promise<SignUp | undefined> {
  const open = await findOpenSignUps(db, sought);
  return new Set(open.map(({ referralCode }) => referralCode)).size > 1 ? undefined : open[0];
}

/** Counts one attempt at the code before it is compared, so that simultaneous attempts count too. */
export async function countAttempt(db: Db, { tokenHash, now }: { tokenHash: Buffer; now: Date }) {
  const [signUp] = await db
    .update(signUps)
    .set({ codeAttempts: sql`${signUps.codeAttempts} + 1` })
    .where(and(eq(signUps.tokenHash, tokenHash), isOpen(now), lt(signUps.codeAttempts, CODE_ATTEMPTS)))
    .returning();
  return signUp;
}

/** Uses up a sign-up, by code or by link. Returns it for the first use only, and undefined for all others. */
export async function useSignUp(tx: Tx, { id, now }: { id: string; now: Date }): Promise<SignUp | undefined> {
  const [signUp] = await tx
    .update(signUps)
    .set({ usedAt: now, sealedPassword: null })
    .where(and(eq(signUps.id, id), isOpen(now)))
    .returning();
  // The member has the hash now. A copy here would outlive a change of the password.
  if (signUp?.passwordHash) await tx.update(signUps).set({ passwordHash: null }).where(eq(signUps.id, id));
  return signUp;
}

/**
 * Locks the sign-up until the transaction ends. Of two requests for the next email, the second finds the ladder
 * climbed.
 */
export async function lockSignUp(tx: Tx, tokenHash: Buffer): Promise<SignUp | undefined> {
  const [signUp] = await tx.select().from(signUps).where(eq(signUps.tokenHash, tokenHash)).for("update");
  return signUp;
}

type Renewal = Pick<SignUp, "resendState" | "mailedAt"> & Partial<Pick<SignUp, "codeHash" | "linkHash">>;

/** Records one more email and resets the attempts. A new code, if there is one, replaces the last one. */
export async function renewCode(tx: Tx, id: string, renewal: Renewal): Promise<void> {
  await tx
    .update(signUps)
    .set({ ...renewal, codeAttempts: 0 })
    .where(eq(signUps.id, id));
}

/**
 * Undoes a renewal whose email could not be sent, unless another one has followed it. Attempts made since then count
 * as well.
 */
export async function undoRenewal(db: Db, before: SignUp, renewedAt: Date): Promise<void> {
  const { id, codeAttempts, codeHash, linkHash, mailedAt, resendState } = before;
  await db
    .update(signUps)
    .set({ codeHash, linkHash, mailedAt, resendState, codeAttempts: sql`${signUps.codeAttempts} + ${codeAttempts}` })
    .where(and(eq(signUps.id, id), eq(signUps.mailedAt, renewedAt)));
}

export const OLD_SIGN_UPS = endingAt(signUps.expiresAt);
