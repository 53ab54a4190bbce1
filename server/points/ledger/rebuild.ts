import type { Act } from "../../administration/actor.ts";
import { administer, permit } from "../../administration/service.ts";
import type { Db } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { findDifferences, rebuildSums, type Difference } from "./rebuild.queries.ts";

type Tell = (line: string) => void;
const toNobody: Tell = () => {};

/** Makes all sums anew from the ledger and the tables beside it, and returns where those kept differ. */
export async function checkLedger(db: Db, tell = toNobody): Promise<Difference[]> {
  // One picture of all tables, for as long as it takes.
  return inTransaction(db, (tx) => findDifferences(tx, tell), { isolationLevel: "repeatable read" });
}

type RebuildDeps = Pick<Deps, "db" | "now"> & { tell?: Tell };

/**
 * Writes the right sums wherever those kept differ, and returns what differed: one transaction a member, safe while the
 * server posts. Throws FORBIDDEN and PASSWORD_REQUIRED.
 */
export async function rebuildLedger(deps: RebuildDeps, act: Act): Promise<Difference[]> {
  const { db, tell = toNobody } = deps;
  await permit(deps, act.actor);
  const differences = await checkLedger(db, tell);
  const members = Map.groupBy(differences, ({ userId }) => userId);
  let done = 0;
  for (const [userId, own] of members) {
    await administer(deps, act, async (tx, note) => {
      await rebuildSums(tx, userId);
      const details = { differences: own.map(describeDifference) };
      await note({ action: "ledger.rebuilt", subject: "member", subjectId: userId, details });
    });
    done += 1;
    tell(`${done} of ${members.size} members corrected.`);
  }
  return differences;
}

/** A difference as a line for people. */
export function describeDifference({ table, userId, part, kept, made }: Difference): string {
  const changed = Object.keys(made).filter((column) => kept[column] !== made[column]);
  const changes = changed.map((column) => `${column} ${kept[column]} should be ${made[column]}`);
  return `${table} of ${userId}${part && `, ${part}`}: ${changes.join(", ")}`;
}
