import { and, asc, desc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { administrators, auditEntries, sessions, users } from "../db/schema.ts";

/** Whether a member is an administrator. In a transaction they stay one until it ends. */
export async function isAdministrator(db: Db | Tx, userId: string, held: boolean): Promise<boolean> {
  const asked = db
    .select({ userId: administrators.userId })
    .from(administrators)
    .where(eq(administrators.userId, userId));
  return (await (held ? asked.for("share") : asked)).length === 1;
}

/**
 * When a member gave their password last in a session; null where they never did, undefined where it has ended. In a
 * transaction it goes on until its end.
 */
export async function findPasswordTime(db: Db | Tx, session: { userId: string; sessionId: string }, held: boolean) {
  const asked = db
    .select({ passwordAt: sessions.passwordAt })
    .from(sessions)
    .where(and(eq(sessions.userId, session.userId), eq(sessions.id, session.sessionId), isNull(sessions.revokedAt)));
  const [found] = await (held ? asked.for("share") : asked);
  return found?.passwordAt;
}

/** Since when a member is an administrator, which they stay until the transaction ends. */
export async function findRole(tx: Tx, userId: string): Promise<Date | undefined> {
  const [role] = await tx
    .select({ since: administrators.since })
    .from(administrators)
    .where(eq(administrators.userId, userId))
    .for("share");
  return role?.since;
}

/** False for who is one already. */
export async function insertAdministrator(tx: Tx, row: typeof administrators.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(administrators).values(row).onConflictDoNothing();
  return rowCount === 1;
}

/** False for who is none. */
export async function deleteAdministrator(tx: Tx, userId: string): Promise<boolean> {
  const { rowCount } = await tx.delete(administrators).where(eq(administrators.userId, userId));
  return rowCount === 1;
}

/**
 * How many administrators there are who are not blocked: they stay until the transaction ends. Who holds their own row
 * may have to try again.
 */
export async function holdAdministrators(tx: Tx): Promise<number> {
  const held = await tx
    .select({ userId: administrators.userId })
    .from(administrators)
    .innerJoin(users, eq(users.id, administrators.userId))
    .where(isNull(users.blockedAt))
    .orderBy(asc(administrators.userId))
    .for("update", { of: administrators });
  return held.length;
}

export function findAdministrators(db: Db) {
  const adder = alias(users, "adder");
  return db
    .select({
      id: users.id,
      email: users.email,
      since: administrators.since,
      addedBy: administrators.addedBy,
      addedByEmail: emailOf(adder),
      blockedAt: users.blockedAt,
    })
    .from(administrators)
    .innerJoin(users, eq(users.id, administrators.userId))
    .leftJoin(adder, eq(adder.id, administrators.addedBy))
    .orderBy(asc(administrators.since), asc(administrators.userId));
}

export async function insertEntries(tx: Tx, entries: (typeof auditEntries.$inferInsert)[]): Promise<void> {
  if (entries.length > 0) await tx.insert(auditEntries).values(entries);
}

/** What an entry is about: a member by their id, or anything else by its kind and name. */
export type Subject = Pick<typeof auditEntries.$inferSelect, "subject" | "subjectId">;

type SoughtEntries = {
  about: Subject | undefined;
  by: string | undefined;
  action: string | undefined;
  after: string | undefined;
  limit: number;
};

/** The latest first: ids are in the order of time, and each filter has an index that ends with them. */
export function findEntries(db: Db, { about, by, action, after, limit }: SoughtEntries) {
  const [doer, member] = [alias(users, "doer"), alias(users, "member")];
  const memberId = sql`case when ${auditEntries.subject} = 'member' then ${auditEntries.subjectId}::uuid end`;
  return db
    .select({
      id: auditEntries.id,
      at: auditEntries.at,
      actor: auditEntries.actor,
      actorId: auditEntries.actorId,
      actorEmail: emailOf(doer),
      action: auditEntries.action,
      subject: auditEntries.subject,
      subjectId: auditEntries.subjectId,
      subjectEmail: emailOf(member),
      reason: auditEntries.reason,
      details: auditEntries.details,
    })
    .from(auditEntries)
    .leftJoin(doer, eq(doer.id, auditEntries.actorId))
    .leftJoin(member, eq(member.id, memberId))
    .where(
      and(
        about && and(eq(auditEntries.subject, about.subject), eq(auditEntries.subjectId, about.subjectId)),
        by ? eq(auditEntries.actorId, by) : undefined,
        action ? eq(auditEntries.action, action) : undefined,
        after ? lt(auditEntries.id, after) : undefined,
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(limit);
}

type Sought = { ids: string[]; emailKeys: string[] };

/** Members by id and address, but for those whose account is deleted; in the order of their ids, as all lock them. */
export function findMembers(db: Db | Tx, { ids, emailKeys }: Sought, lock?: "share" | "no key update") {
  const asked = db
    .select({ id: users.id, email: users.email, emailKey: users.emailKey, isWhitelisted: users.isWhitelisted })
    .from(users)
    .where(and(or(inArray(users.id, ids), inArray(users.emailKey, emailKeys)), isNull(users.deletedAt)))
    .orderBy(asc(users.id));
  return lock ? asked.for(lock) : asked;
}

/** The latest entry about a member with one of these actions, as a table to join: each row's own. */
export function latestEntryAbout(db: Db, actions: string[]) {
  const doer = alias(users, "doer");
  return db
    .select({
      action: auditEntries.action,
      at: auditEntries.at,
      actor: auditEntries.actor,
      actorId: auditEntries.actorId,
      actorEmail: emailOf(doer).as("actor_email"),
    })
    .from(auditEntries)
    .leftJoin(doer, eq(doer.id, auditEntries.actorId))
    .where(
      and(
        eq(auditEntries.subject, "member"),
        eq(auditEntries.subjectId, sql`${users.id}::text`),
        inArray(auditEntries.action, actions),
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(1)
    .as("latest");
}
