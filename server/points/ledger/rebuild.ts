import type { Act } from "../../administration/actor.ts";
import { administer, permit } from "../../administration/service.ts";
import type { Db } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { findDifferences, rebuildSums, type Difference } from "./rebuild.queries.ts";
import { formatCount } from "../../format-count.ts";

type ReportProgress = (line: string) => void;
const toNobody: ReportProgress = () => {};

/** Recomputes all sums from the ledger and related tables. Returns those that differ from the stored ones. */
export async function checkLedger(db: Db, report = toNobody): Promise<Difference[]> {
  // Uses one snapshot of all tables, however long it takes.
  return inTransaction(db, (tx) => findDifferences(tx, report), { isolationLevel: "repeatable read" });
}

type RebuildDeps = Pick<Deps, "db" | "now"> & { report?: ReportProgress };

/**
 * Corrects the stored sums wherever they differ, and returns the differences. Uses one transaction per member, and is
 * safe while the server posts. Throws FORBIDDEN and PASSWORD_REQUIRED.
 */
export async function rebuildLedger(deps: RebuildDeps, act: Act): Promise<Difference[]> {
  const { db, report = toNobody } = deps;
  await permit(deps, act.actor);
  const differences = await checkLedger(db, report);
  const members = Map.groupBy(differences, ({ userId }) => userId);
  let done = 0;
  for (const [userId, own] of members) {
    await administer(deps, act, async (tx, note) => {
      await rebuildSums(tx, userId);
      const details = { differences: own.map(describeDifference) };
      await note({ action: "ledger.rebuilt", subject: "member", subjectId: userId, details });
    });
    done += 1;
    report(`${done} of ${formatCount(members.size, "member")} corrected.`);
  }
  return differences;
}

/** Describes a difference in one line, for an operator. */
export function describeDifference({ table, userId, part, kept, made }: Difference): string {
  const changed = Object.keys(made).filter((column) => kept[column] !== made[column]);
  const changes = changed.map((column) => `${column} ${kept[column]} should be ${made[column]}`);
  return `${table} of ${userId}${part && `, ${part}`}: ${changes.join(", ")}`;
}
