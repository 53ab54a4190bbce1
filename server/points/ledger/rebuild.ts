import type { Db } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import { findDifferences, rebuildSums, type Difference } from "./rebuild.queries.ts";

/**
 * Makes all sums anew from the ledger and the tables beside it, and returns where those kept differ.
 * With `fix`, writes what it found instead: one transaction a member, safe while the server posts.
 */
export async function checkLedger(db: Db, { fix }: { fix: boolean }): Promise<Difference[]> {
  // One picture of all tables, for as long as it takes.
  const differences = await inTransaction(db, findDifferences, { isolationLevel: "repeatable read" });
  const members = new Set(fix ? differences.map(({ userId }) => userId) : []);
  for (const userId of members) await inTransaction(db, (tx) => rebuildSums(tx, userId));
  return differences;
}

/** A difference as a line for people. */
export function describeDifference({ table, userId, part, kept, made }: Difference): string {
  const changed = Object.keys(made).filter((column) => kept[column] !== made[column]);
  const changes = changed.map((column) => `${column} ${kept[column]} should be ${made[column]}`);
  return `${table} of ${userId}${part && `, ${part}`}: ${changes.join(", ")}`;
}
