import { and, eq, gte, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { sessions, users } from "../../db/schema.ts";
import { emailKey } from "../../mail/email-key.ts";

/**
 * Finds the member of a Supabase user by its id, or by the address, which Supabase has confirmed. The latter links
 * them.
 */
export async function findMember(tx: Tx, { id, email = "" }: { id: string; email?: string | undefined }) {
  // If two first sign-ins come at once, the second waits and finds the member whom the first has created or linked.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`);
  const member = { userId: users.id, email: users.email };
  // Waits for a deletion of the account that is in progress. After it, the user is a new member.
  const [known] = await tx.select(member).from(users).where(eq(users.providerSubject, id)).for("share");
  if (known) return known;
  const [linked] = await tx
    .update(users)
    .set({ providerSubject: id })
    .where(and(eq(users.emailKey, emailKey(email)), isNull(users.providerSubject)))
    .returning(member);
  return linked;
}

/** Finds the member who is already linked to this Supabase user. */
export async function findLinkedMember(db: Db, subject: string) {
  const [member] = await db
    .select({ userId: users.id, email: users.email })
    .from(users)
    .where(eq(users.providerSubject, subject));
  return member;
}

/** Returns the id of a member's Supabase user, or null if none is known. */
export async function findSubject(db: Db, userId: string): Promise<string | null> {
  const [member] = await db.select({ subject: users.providerSubject }).from(users).where(eq(users.id, userId));
  return member?.subject ?? null;
}

/** Forgets a member's Supabase user. Returns false if none was known. */
export async function forgetSubject(tx: Tx, userId: string): Promise<boolean> {
  const isLinked = and(eq(users.id, userId), isNotNull(users.providerSubject));
  const { rowCount } = await tx.update(users).set({ providerSubject: null }).where(isLinked);
  return rowCount === 1;
}

export type SessionKey = {
  userId: string;
  sessionId: string;
  /** As last read or written. If another process has renewed the session since, or begun to, nothing changes. */
  providerExpiresAt?: Date;
};

const isSession = ({ providerExpiresAt, sessionId, userId }: SessionKey) =>
  and(
    eq(sessions.userId, userId),
    eq(sessions.id, sessionId),
    providerExpiresAt && eq(sessions.providerExpiresAt, providerExpiresAt),
  );

type SealedSession = Pick<typeof sessions.$inferInsert, "providerSession" | "providerExpiresAt">;

/** Keeps a Supabase session behind one of ours. Returns false if ours no longer matches the key. */
export async function storeProviderSession(db: Db | Tx, key: SessionKey, sealed: SealedSession): Promise<boolean> {
  const { rowCount } = await db.update(sessions).set(sealed).where(isSession(key));
  return rowCount === 1;
}

/** Leases a session to this caller for renewal. Returns undefined if another caller is renewing it. */
export async function leaseSession(db: Db, key: SessionKey, until: Date) {
  const [leased] = await db
    .update(sessions)
    .set({ providerExpiresAt: until })
    .where(isSession(key))
    .returning({ sealed: sessions.providerSession });
  return leased;
}

/** Ends our session and forgets the Supabase session behind it. Returns false if ours no longer matches the key. */
export async function endSession(db: Db, key: SessionKey, at: Date): Promise<boolean> {
  const ended = { revokedAt: at, providerSession: null, providerExpiresAt: null };
  const { rowCount } = await db.update(sessions).set(ended).where(isSession(key));
  return rowCount === 1;
}

type After = { last: SessionKey | undefined; since: Date | undefined; limit: number };

/**
 * Finds the next revoked sessions to end at Supabase. Sessions that expired unused are not among them: their tokens go
 * with the row, and nobody else has them.
 */
export const findRevoked = (db: Db, { last, limit, since }: After) =>
  db
    .select({ userId: sessions.userId, sessionId: sessions.id, sealed: sessions.providerSession })
    .from(sessions)
    .where(
      and(
        isNotNull(sessions.providerSession),
        since ? gte(sessions.revokedAt, since) : isNotNull(sessions.revokedAt),
        last && sql`(${sessions.userId}, ${sessions.id}) > (${last.userId}::uuid, ${last.sessionId}::uuid)`,
      ),
    )
    .orderBy(sessions.userId, sessions.id)
    .limit(limit);
