import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { legalAcceptances } from "../db/schema.ts";
import type { LegalDocumentName } from "./contract.ts";

export type Acceptance = typeof legalAcceptances.$inferInsert;

const acceptanceByVersion = prepared((db) =>
  db
    .select({ acceptedAt: legalAcceptances.acceptedAt })
    .from(legalAcceptances)
    .where(
      and(
        eq(legalAcceptances.userId, sql.placeholder("userId")),
        eq(legalAcceptances.document, sql.placeholder("document")),
        eq(legalAcceptances.version, sql.placeholder("version")),
      ),
    )
    .prepare("find_acceptance"),
);

export async function hasAcceptance(
  db: Db,
  named: { userId: string; document: LegalDocumentName; version: number },
): Promise<boolean> {
  return (await acceptanceByVersion(db).execute(named)).length > 0;
}

/** Adds acceptances; one that is there already stays as it was first given. */
export async function insertAcceptances(db: Db | Tx, acceptances: Acceptance[]): Promise<void> {
  await db.insert(legalAcceptances).values(acceptances).onConflictDoNothing();
}
