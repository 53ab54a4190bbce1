import type { Db, Tx } from "../db/client.ts";
import { legalAcceptances } from "../db/schema.ts";

export type Acceptance = typeof legalAcceptances.$inferInsert;

/** Adds acceptances; one that is there already stays as it was first given. */
export async function insertAcceptances(db: Db | Tx, acceptances: Acceptance[]): Promise<void> {
  await db.insert(legalAcceptances).values(acceptances).onConflictDoNothing();
}
