import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { legalAcceptances } from "../db/schema.ts";

export type Acceptance = typeof legalAcceptances.$inferInsert;

const acceptancesOf = prepared((db) =>
  db
    .select({ document: legalAcceptances.document, version: legalAcceptances.version })
    .from(legalAcceptances)
    .where(eq(legalAcceptances.userId, sql.placeholder("userId")))
    .prepare("find_acceptances"),
);

/** Every version of the documents that a member has accepted. */
export const findAcceptances = (db: Db, userId: string) => acceptancesOf(db).execute({ userId });

/** Adds acceptances; one that is there already stays as it was first given. */
export async function insertAcceptances(db: Db | Tx, acceptances: Acceptance[]): Promise<void> {
  await db.insert(legalAcceptances).values(acceptances).onConflictDoNothing();
}
