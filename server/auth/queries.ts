import { and, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { nodeDevices, sessions, users } from "../db/schema.ts";

const sessionByHash = prepared((db) =>
  db
    .select({ userId: sessions.userId, sessionId: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder("hash")),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql.placeholder("now")),
      ),
    )
    .prepare("find_session"),
);

/** The running session of a token: neither revoked nor expired. */
export async function findSession(db: Db, token: { hash: Buffer; now: Date }) {
  const [session] = await sessionByHash(db).execute(token);
  return session;
}

const deviceByHash = prepared((db) =>
  db
    .select({ userId: nodeDevices.userId, deviceId: nodeDevices.id })
    .from(nodeDevices)
    .where(and(eq(nodeDevices.keyHash, sql.placeholder("hash")), isNull(nodeDevices.revokedAt)))
    .prepare("find_device"),
);

/** The device of a key that was not revoked. */
export async function findDevice(db: Db, key: { hash: Buffer }) {
  const [device] = await deviceByHash(db).execute(key);
  return device;
}

const accountByEmail = prepared((db) =>
  db
    .select({ id: users.id, email: users.email, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.emailKey, sql.placeholder("emailKey")))
    .prepare("find_account"),
);

export async function findAccount(db: Db | Tx, emailKey: string) {
  const [account] = await accountByEmail(db).execute({ emailKey });
  return account;
}

/** Replaces the hash unless it was changed meanwhile; returns whether it did. */
export async function replacePasswordHash(db: Db, userId: string, hash: { old: string; new: string }) {
  const { rowCount } = await db
    .update(users)
    .set({ passwordHash: hash.new })
    .where(and(eq(users.id, userId), eq(users.passwordHash, hash.old)));
  return rowCount === 1;
}

/** Locks the member until the transaction ends; false when the hash is no longer theirs. */
export async function holdPassword(tx: Tx, { userId, passwordHash }: { userId: string; passwordHash: string }) {
  const [held] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.passwordHash, passwordHash)))
    .for("share");
  return held !== undefined;
}

export async function setPassword(tx: Tx, { userId, passwordHash, now }: SetPassword) {
  await tx.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, userId));
}
type SetPassword = { userId: string; passwordHash: string; now: Date };

export async function insertSession(db: Db | Tx, session: typeof sessions.$inferInsert) {
  await db.insert(sessions).values(session);
}

export async function revokeSession(db: Db | Tx, session: { userId: string; sessionId: string; now: Date }) {
  await db
    .update(sessions)
    .set({ revokedAt: session.now })
    .where(and(eq(sessions.userId, session.userId), eq(sessions.id, session.sessionId), isNull(sessions.revokedAt)));
}

export async function revokeAllSessions(tx: Tx, { userId, now }: { userId: string; now: Date }) {
  await tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)));
}

export async function deleteExpiredSessions(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const expired = db
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(lt(sessions.expiresAt, before))
    .limit(limit);
  const { rowCount } = await db.delete(sessions).where(inArray(sessions.tokenHash, expired));
  return rowCount ?? 0;
}

export async function findInviter(db: Db | Tx, personalCode: string) {
  const [inviter] = await db.select({ id: users.id }).from(users).where(eq(users.personalCode, personalCode));
  return inviter;
}

/** False when a unique key (address, personal code or wallet) is taken. */
export async function insertMember(db: Db | Tx, member: typeof users.$inferInsert): Promise<boolean> {
  const inserted = await db.insert(users).values(member).onConflictDoNothing().returning({ id: users.id });
  return inserted.length === 1;
}
