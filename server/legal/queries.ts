import { and, asc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { auditEntries, legalAcceptances, legalDrafts, legalVersions, users } from "../db/schema.ts";
import type { LegalDocumentName } from "./contract.ts";

export type Acceptance = typeof legalAcceptances.$inferInsert;
type DraftRow = typeof legalDrafts.$inferSelect;

/** Adds acceptances; one that is there already stays as it was first given. */
export async function insertAcceptances(db: Db | Tx, acceptances: Acceptance[]): Promise<void> {
  await db.insert(legalAcceptances).values(acceptances).onConflictDoNothing();
}

/** The versions of a document that were published since those in the code, without their texts; the oldest first. */
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

/** A published version with its text. */
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

/** False where there is a version with this number, or from this day on, by now. */
export async function insertVersion(tx: Tx, version: typeof legalVersions.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(legalVersions).values(version).onConflictDoNothing();
  return rowCount === 1;
}

/** The draft of a document, with the address of who saved it, as long as they have an account. */
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
 * The revision that a new draft has, undefined where there is a draft by now. It goes on from the last one that the log
 * knows of: were it 1 again, whoever had seen a draft that was thrown away could publish another one.
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

/** The revision that it has then; undefined where the draft is not the one that was seen any more. */
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

/** Takes the draft that was seen away; undefined where it is another one by now. */
export async function deleteDraft(tx: Tx, document: LegalDocumentName, revision: number) {
  const [draft] = await tx.delete(legalDrafts).where(isDraft(document, revision)).returning();
  return draft;
}

type End = { document: LegalDocumentName; revision: number; action: string; actorId: string | null };

/** Whether the log says that this actor has done this with the draft that was seen. */
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
