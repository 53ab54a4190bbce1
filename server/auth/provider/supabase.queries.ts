import { and, eq, gte, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { sessions, users } from "../../db/schema.ts";
import { emailKey } from "../../mail/email-key.ts";

/** The member of a Supabase user: by its id, or by the address, which Supabase has seen to be theirs. */
export async function findMember(tx: Tx, { id, email = "" }: { id: string; email?: string | undefined }) {
  // Of two first sign-ins at once the second one waits, and finds the member whom the first one has made or linked.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`);
  const member = { userId: users.id, email: users.email };
  // A deletion of the account at this moment is waited for: whoever comes then is a new member.
  const [known] = await tx.select(member).from(users).where(eq(users.providerSubject, id)).for("share");
  if (known) return known;
  const [linked] = await tx
    .update(users)
    .set({ providerSubject: id })
    .where(and(eq(users.emailKey, emailKey(email)), isNull(users.providerSubject)))
    .returning(member);
  return linked;
}

/** The member who is this Supabase user, as far as that is known already. */
export async function findLinkedMember(db: Db, subject: string) {
  const [member] = await db
    .select({ userId: users.id, email: users.email })
    .from(users)
    .where(eq(users.providerSubject, subject));
  return member;
}

/** Which Supabase user a member is; null where none is known. */
export async function findSubject(db: Db, userId: string): Promise<string | null> {
  const [member] = await db.select({ subject: users.providerSubject }).from(users).where(eq(users.id, userId));
  return member?.subject ?? null;
}

/** Forgets which Supabase user a member is. False where none was known. */
export async function forgetSubject(tx: Tx, userId: string): Promise<boolean> {
  const isLinked = and(eq(users.id, userId), isNotNull(users.providerSubject));
  const { rowCount } = await tx.update(users).set({ providerSubject: null }).where(isLinked);
  return rowCount === 1;
}

export type SessionKey = {
  userId: string;
  sessionId: string;
  /** As it was last seen or written: nothing is done to a session that somebody else has renewed, or begun to, since. */
  providerExpiresAt?: Date;
};

const isSession = ({ providerExpiresAt, sessionId, userId }: SessionKey) =>
  and(
    eq(sessions.userId, userId),
    eq(sessions.id, sessionId),
    providerExpiresAt && eq(sessions.providerExpiresAt, providerExpiresAt),
  );

type Kept = Pick<typeof sessions.$inferInsert, "providerSession" | "providerExpiresAt">;

/** Keeps Supabase's session behind one of ours. False where ours is no longer as the key says. */
export async function keepSession(db: Db | Tx, key: SessionKey, kept: Kept): Promise<boolean> {
  const { rowCount } = await db.update(sessions).set(kept).where(isSession(key));
  return rowCount === 1;
}

/** Lets only this caller renew a session until then. Undefined where another one is renewing it. */
export async function leaseSession(db: Db, key: SessionKey, until: Date) {
  const [leased] = await db
    .update(sessions)
    .set({ providerExpiresAt: until })
    .where(isSession(key))
    .returning({ sealed: sessions.providerSession });
  return leased;
}

/** Ends our session, and forgets the one behind it. False where ours is no longer as the key says. */
export async function endSession(db: Db, key: SessionKey, at: Date): Promise<boolean> {
  const ended = { revokedAt: at, providerSession: null, providerExpiresAt: null };
  const { rowCount } = await db.update(sessions).set(ended).where(isSession(key));
  return rowCount === 1;
}

type After = { last: SessionKey | undefined; since: Date | undefined; limit: number };

/** The next ones. Of sessions that nobody used up to their end the tokens go with the row: nobody else has them. */
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
