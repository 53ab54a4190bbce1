import { and, asc, desc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { accountDeletions, administrators, auditEntries, sessions, users } from "../db/schema.ts";

/** Returns whether a member is an administrator. With `held`, locks the role until the transaction ends. */
export async function isAdministrator(db: Db | Tx, userId: string, held: boolean): Promise<boolean> {
  const asked = db
    .select({ userId: administrators.userId })
    .from(administrators)
    .where(eq(administrators.userId, userId));
  return (await (held ? asked.for("share") : asked)).length === 1;
}

/**
 * Returns when a member last gave their password in a session: null if never, undefined if the session has ended. With
 * `held`, locks the session until the transaction ends.
 */
export async function findPasswordTime(db: Db | Tx, session: { userId: string; sessionId: string }, held: boolean) {
  const asked = db
    .select({ passwordAt: sessions.passwordAt })
    .from(sessions)
    .where(and(eq(sessions.userId, session.userId), eq(sessions.id, session.sessionId), isNull(sessions.revokedAt)));
  const [found] = await (held ? asked.for("share") : asked);
  return found?.passwordAt;
}

/**
 * Returns since when a member has been an administrator, and locks the role until the transaction ends. Undefined if
 * they are not one.
 */
export async function lockAdministratorSince(tx: Tx, userId: string): Promise<Date | undefined> {
  const [role] = await tx
    .select({ since: administrators.since })
    .from(administrators)
    .where(eq(administrators.userId, userId))
    .for("share");
  return role?.since;
}

/** Returns false if the member is an administrator already. */
export async function insertAdministrator(tx: Tx, row: typeof administrators.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(administrators).values(row).onConflictDoNothing();
  return rowCount === 1;
}

/** Returns false if the member is not an administrator. */
export async function deleteAdministrator(tx: Tx, userId: string): Promise<boolean> {
  const { rowCount } = await tx.delete(administrators).where(eq(administrators.userId, userId));
  return rowCount === 1;
}

/**
 * Returns the ids of the administrators who are not blocked and keep their accounts, and locks them until the
 * transaction ends. A transaction that has already locked its own administrator's row may have to be retried.
 */
export async function lockLastingAdministrators(tx: Tx): Promise<string[]> {
  const held = await tx
    .select({ userId: administrators.userId })
    .from(administrators)
    .innerJoin(users, eq(users.id, administrators.userId))
    .leftJoin(accountDeletions, eq(accountDeletions.userId, administrators.userId))
    .where(and(isNull(users.blockedAt), isNull(accountDeletions.userId)))
    .orderBy(asc(administrators.userId))
    .for("update", { of: administrators });
  return held.map(({ userId }) => userId);
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

/** The subject of an entry: a member by their id, or anything else by its kind and name. */
export type Subject = Pick<typeof auditEntries.$inferSelect, "subject" | "subjectId">;

type SoughtEntries = {
  about: Subject | undefined;
  by: string | undefined;
  action: string | undefined;
  after: string | undefined;
  limit: number;
};

/** Returns entries, latest first: ids are in order of time, and each filter has an index that ends with them. */
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

/**
 * Returns members by id and address, without deleted accounts. Sorted by id, the order in which all code locks them.
 */
export function findMembers(db: Db | Tx, { ids, emailKeys }: Sought, lock?: "share" | "no key update") {
  const asked = db
    .select({ id: users.id, email: users.email, emailKey: users.emailKey, isWhitelisted: users.isWhitelisted })
    .from(users)
    .where(and(or(inArray(users.id, ids), inArray(users.emailKey, emailKeys)), isNull(users.deletedAt)))
    .orderBy(asc(users.id));
  return lock ? asked.for(lock) : asked;
}

/** Builds a subquery to join: the latest entry about the row's member with one of these actions. */
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
