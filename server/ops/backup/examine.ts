import type { Db } from "../../db/client.ts";
import { pointsLedger, users } from "../../db/schema.ts";
import { inTransaction, limitStatements } from "../../db/transaction.ts";
import { checkLedger, describeDifference } from "../../points/ledger/rebuild.ts";

/** What a restored database has in it, and what is wrong with it. */
export type Examined = { members: number; entries: number; differences: string[] };

/** Counts members and entries, and compares every sum with what it sums. */
export async function examine(db: Db): Promise<Examined> {
  const counted = await inTransaction(db, async (tx) => {
    // No time limit: large tables take long, and they are read for the first time.
    await limitStatements(tx, 0);
    return { members: await tx.$count(users), entries: await tx.$count(pointsLedger) };
  });
  return { ...counted, differences: (await checkLedger(db)).map(describeDifference) };
}
