import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, or, sql, type Placeholder } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { knownDevices, sessions, users } from "../db/schema.ts";
import { inTransaction, limitStatements } from "../db/transaction.ts";
import { endingAt, type Prunable } from "../jobs/prune.ts";
import { MAX_SESSIONS, SESSION_IDLE_SECONDS } from "./contract.ts";

export type Session = typeof sessions.$inferSelect;
type Times = { now: Date; idleSince: Date };

const isRunning = ({ now, idleSince }: Times | Record<keyof Times, Placeholder>) =>
  and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, idleSince));

/** The same, with the times as parameters of a prepared query. */
const isRunningThen = isRunning({ now: sql.placeholder("now"), idleSince: sql.placeholder("idleSince") });

const sessionByHash = prepared((db) =>
  db
    .select({
      userId: sessions.userId,
      sessionId: sessions.id,
      lastSeenAt: sessions.lastSeenAt,
      providerExpiresAt: sessions.providerExpiresAt,
      readsFrom: sessions.readsFrom,
    })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, sql.placeholder("hash")), isRunningThen))
    .prepare("find_session"),
);

type Sought = Times & { hash: Buffer };

/** Finds the running session of a token: neither revoked nor expired, nor idle for too long. */
export async function findSession(db: Db, sought: Sought) {
  const [session] = await sessionByHash(db).execute(sought);
  return session;
}

/** Notes that a session is in use. If many calls do so at once, returns true for only one of them. */
export async function touchSession(db: Db, seen: { userId: string; sessionId: string; before: Date; now: Date }) {
  const { rowCount } = await db
    .update(sessions)
    .set({ lastSeenAt: seen.now })
    .where(
      and(eq(sessions.userId, seen.userId), eq(sessions.id, seen.sessionId), lte(sessions.lastSeenAt, seen.before)),
    );
  return rowCount === 1;
}

/**
 * Lets members' sessions read only from replicas that have the log of writes up to now. Locks rows in the order of
 * their keys, so that two processes that do this at once wait for each other and cannot deadlock.
 */
export async function advanceReadPositions(db: Db, userIds: readonly string[]) {
  const held = db.$with("held").as(
    db
      .select({ userId: sessions.userId, id: sessions.id })
      .from(sessions)
      .where(and(inArray(sessions.userId, [...userIds]), isNull(sessions.revokedAt)))
      .orderBy(sessions.userId, sessions.id)
      .for("no key update"),
  );
  await db
    .with(held)
    .update(sessions)
    // The insert position also covers what was just committed but is not on the disk yet.
    .set({ readsFrom: sql`pg_current_wal_insert_lsn()` })
    .from(held)
    .where(and(eq(sessions.userId, held.userId), eq(sessions.id, held.id)));
}

/** Forgets the sessions' positions in the log. The log is a new one from now on, in which they mean nothing. */
export const clearReadPositions = (db: Db): Promise<void> =>
  inTransaction(db, async (tx) => {
    // No limit, however many rows there are: a timeout would make a restore fail at its end.
    await limitStatements(tx, 0);
    await tx.update(sessions).set({ readsFrom: null }).where(isNotNull(sessions.readsFrom));
  });

/** Notes when the password was given in a session. Returns false if the session has ended. */
export async function markPassword(
  tx: Tx,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
) {
  const { rowCount } = await tx
    .update(sessions)
    .set({ passwordAt: now })
    .where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId), isNull(sessions.revokedAt)));
  return rowCount === 1;
}

/** Locks a session until the transaction ends. Returns false if it has ended. */
export async function lockSession(tx: Tx, { userId, sessionId }: { userId: string; sessionId: string }) {
  const [held] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .for("share");
  return held !== undefined;
}

export async function insertSession(db: Db | Tx, session: typeof sessions.$inferInsert) {
  await db.insert(sessions).values(session);
}

type Seen = { userId: string; tokenHash: Buffer; now: Date };

/** Remembers a browser. Returns true if the member had not signed in with it before. */
export async function rememberDevice(db: Db | Tx, { userId, tokenHash, now }: Seen): Promise<boolean> {
  const device = { userId, tokenHash, firstSeenAt: now, lastSeenAt: now };
  const { rowCount } = await db.insert(knownDevices).values(device).onConflictDoNothing();
  if (rowCount === 1) return true;
  await db
    .update(knownDevices)
    .set({ lastSeenAt: now })
    .where(and(eq(knownDevices.userId, userId), eq(knownDevices.tokenHash, tokenHash)));
  return false;
}

/** Forgets all of a member's browsers, or all but one. */
export async function deleteDevices(tx: Tx, { userId, but }: { userId: string; but?: Buffer | undefined }) {
  const others = but && ne(knownDevices.tokenHash, but);
  await tx.delete(knownDevices).where(and(eq(knownDevices.userId, userId), others));
}

const sessionsOf = prepared((db) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, sql.placeholder("userId")), isRunningThen))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(MAX_SESSIONS)
    .prepare("find_sessions"),
);

/** Finds a member's running sessions, most recently used first, at most as many as are listed. */
export const findSessions = (db: Db, asked: Times & { userId: string }) => sessionsOf(db).execute(asked);

type Revocation = { userId: string; now: Date };
type Revocations = Revocation & { idleSince: Date; but?: string };

/** Ends a session. Returns true only for the first revocation. */
export async function revokeSession(tx: Db | Tx, { userId, sessionId, now }: Revocation & { sessionId: string }) {
  const { rowCount } = await tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId), isNull(sessions.revokedAt)));
  return rowCount === 1;
}

/** Ends all of a member's running sessions, or all but one. Returns how many. */
export async function revokeSessions(tx: Tx, { userId, but, ...at }: Revocations): Promise<number> {
  const others = but === undefined ? undefined : ne(sessions.id, but);
  const { rowCount } = await tx
    .update(sessions)
    .set({ revokedAt: at.now })
    .where(and(eq(sessions.userId, userId), isRunning(at), others));
  return rowCount ?? 0;
}

/** Ends every running session of every member. Returns how many, by member. */
export async function revokeEverySession(tx: Tx, at: Times): Promise<Map<string, number>> {
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: at.now })
    .where(isRunning(at))
    .returning({ userId: sessions.userId });
  const counts = new Map<string, number>();
  for (const { userId } of ended) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return counts;
}

/** Blocks a member. Returns false if they are already blocked. */
export async function markBlocked(tx: Tx, { userId, now }: Revocation): Promise<boolean> {
  const isFree = and(eq(users.id, userId), isNull(users.blockedAt));
  const { rowCount } = await tx.update(users).set({ blockedAt: now }).where(isFree);
  return rowCount === 1;
}

/** Unblocks a member. Returns false if they are not blocked. */
export async function clearBlocked(tx: Tx, userId: string): Promise<boolean> {
  const isBlocked = and(eq(users.id, userId), isNotNull(users.blockedAt));
  const { rowCount } = await tx.update(users).set({ blockedAt: null }).where(isBlocked);
  return rowCount === 1;
}

/** Whether a member is blocked. That cannot change until the transaction ends. */
export async function lockBlockedState(tx: Tx, userId: string): Promise<boolean> {
  const [member] = await tx.select({ since: users.blockedAt }).from(users).where(eq(users.id, userId)).for("share");
  return member !== undefined && member.since !== null;
}

export const ENDED_SESSIONS: Prunable = {
  table: sessions,
  isOver: (now) =>
    or(lt(sessions.expiresAt, now), lt(sessions.lastSeenAt, new Date(now.getTime() - SESSION_IDLE_SECONDS * 1000))),
};

const DEVICE_LIFETIME_SECONDS = 365 * 24 * 60 * 60;

/** Browsers that have not been used for so long that signing in with one counts as new again. */
export const FORGOTTEN_DEVICES = endingAt(knownDevices.lastSeenAt, DEVICE_LIFETIME_SECONDS);
