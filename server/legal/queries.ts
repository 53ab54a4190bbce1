import { and, asc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { auditEntries, legalAcceptances, legalDrafts, legalVersions, users } from "../db/schema.ts";
import type { LegalDocumentName } from "./contract.ts";

export type Acceptance = typeof legalAcceptances.$inferInsert;
type DraftRow = typeof legalDrafts.$inferSelect;

/** Adds acceptances. An existing one stays as it was first given. */
export async function insertAcceptances(db: Db | Tx, acceptances: Acceptance[]): Promise<void> {
  await db.insert(legalAcceptances).values(acceptances).onConflictDoNothing();
}

/** Finds the versions of a document that were published in the database, without their text, oldest first. */
export const findPublished = (db: Db | Tx, document: LegalDocumentName) =>
  db
    .select({
      version: legalVersions.version,
      effectiveFrom: legalVersions.effectiveFrom,
      textHash: legalVersions.textHash,
    })
    .from(legalVersions)
    .where(eq(legalVersions.document, document))
    .orderBy(asc(legalVersions.version));

const isVersion = (document: LegalDocumentName, version: number) =>
  and(eq(legalVersions.document, document), eq(legalVersions.version, version));

/** Finds a published version with its text. */
export async function findText(db: Db | Tx, document: LegalDocumentName, version: number) {
  const [found] = await db
    .select({
      version: legalVersions.version,
      effectiveFrom: legalVersions.effectiveFrom,
      title: legalVersions.title,
      changes: legalVersions.changes,
      sections: legalVersions.sections,
    })
    .from(legalVersions)
    .where(isVersion(document, version));
  return found;
}

/** Adds a version. Returns false if this number or this day is taken by now. */
export async function insertVersion(tx: Tx, version: typeof legalVersions.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(legalVersions).values(version).onConflictDoNothing();
  return rowCount === 1;
}

/** Finds the draft of a document, with the address of the administrator who saved it if they still have an account. */
export async function findDraft(db: Db | Tx, document: LegalDocumentName) {
  const email = emailOf(users);
  const [draft] = await db
    .select({ ...getTableColumns(legalDrafts), email })
    .from(legalDrafts)
    .leftJoin(users, eq(users.id, legalDrafts.savedBy))
    .where(eq(legalDrafts.document, document));
  return draft;
}

/**
 * Adds a draft. Returns its revision, or undefined if there is a draft by now. Revisions continue from the last one in
 * the audit log: if they began at 1 again, an administrator who had seen a discarded draft could publish a different
 * one.
 */
export async function insertDraft(tx: Tx, draft: Omit<DraftRow, "revision">): Promise<number | undefined> {
  const last = tx
    .select({ revision: sql`coalesce(max((${auditEntries.details} ->> 'revision')::integer), 0)` })
    .from(auditEntries)
    .where(and(eq(auditEntries.subject, "document"), eq(auditEntries.subjectId, draft.document)));
  const [saved] = await tx
    .insert(legalDrafts)
    .values({ ...draft, revision: sql`(${last}) + 1` })
    .onConflictDoNothing()
    .returning({ revision: legalDrafts.revision });
  return saved?.revision;
}

/** Replaces the draft that was seen. Returns its new revision, or undefined if the draft has changed since. */
export async function updateDraft(tx: Tx, { revision, ...draft }: DraftRow): Promise<number | undefined> {
  const [saved] = await tx
    .update(legalDrafts)
    .set({ ...draft, revision: revision + 1 })
    .where(isDraft(draft.document, revision))
    .returning({ revision: legalDrafts.revision });
  return saved?.revision;
}

const isDraft = (document: LegalDocumentName, revision: number) =>
  and(eq(legalDrafts.document, document), eq(legalDrafts.revision, revision));

/** Deletes the draft that was seen. Returns it, or undefined if the draft has changed since. */
export async function deleteDraft(tx: Tx, document: LegalDocumentName, revision: number) {
  const [draft] = await tx.delete(legalDrafts).where(isDraft(document, revision)).returning();
  return draft;
}

type End = { document: LegalDocumentName; revision: number; action: string; actorId: string | null };

/** Whether the audit log says that this actor has done this with this revision of the draft. */
export async function hasEnded(tx: Tx, { document, revision, action, actorId }: End): Promise<boolean> {
  const found = await tx.$count(
    auditEntries,
    and(
      eq(auditEntries.subject, "document"),
      eq(auditEntries.subjectId, document),
      eq(auditEntries.action, action),
      actorId === null ? isNull(auditEntries.actorId) : eq(auditEntries.actorId, actorId),
      sql`(${auditEntries.details} ->> 'revision')::integer = ${revision}`,
    ),
  );
  return found > 0;
}
