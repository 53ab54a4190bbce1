import type { Db } from "../../db/client.ts";
import { pointsLedger, users } from "../../db/schema.ts";
import { checkLedger, describeDifference } from "../../points/ledger/rebuild.ts";

/** What is in a database that was restored, and what is wrong with it. */
export type Examined = { members: number; entries: number; differences: string[] };

/** Counts, and compares every sum with what it sums. */
export async function examine(db: Db): Promise<Examined> {
  const members = await db.$count(users);
  const entries = await db.$count(pointsLedger);
  return { members, entries, differences: (await checkLedger(db)).map(describeDifference) };
}
