import { administer, permit } from "../administration/service.ts";
import type { Act } from "../administration/actor.ts";
import { addMonth, isPartitioned, startOfMonth } from "../db/months.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import * as queries from "./partition.queries.ts";
import type { MonthlyTable } from "./monthly-table.ts";
import { retryWhileLocked } from "./retry-while-locked.ts";
import { formatCount } from "../format-count.ts";

/** How many rows one transaction copies. It takes a moment, and the deletion of an account may have to wait for it. */
const BATCH = 5_000;
/** How long the swap waits for those who use the table, in milliseconds. Others wait behind it for as long. */
const LOCK_TIMEOUT_MS = 500;

type ReportProgress = (line: string) => void;
type PartitionDeps = Pick<Deps, "db" | "now"> & { report?: ReportProgress; batch?: number };
export type Partitioning = { rows: string; divided: boolean; copied: number };

/**
 * Partitions a table by month while servers write to it, including servers of the previous version. It can be
 * interrupted at any time. Running it again continues from there, or starts over if a migration added a column
 * meanwhile. Does nothing if the table is already partitioned. Throws CONFLICT if the two tables differ at the end, or
 * if the database was too busy for the swap; nothing is lost then.
 */
export async function partitionTable(deps: PartitionDeps, act: Act, table: MonthlyTable): Promise<Partitioning> {
  const { db } = deps;
  await permit(deps, act.actor);
  const { name, rows } = table;
  if (await isPartitioned(db, name)) return { rows, divided: false, copied: 0 };
  try {
    return await copyAndSwap(deps, act, table);
  } catch (error) {
    // The command was run twice at once, and the other one finished first.
    if (await isPartitioned(db, name)) return { rows, divided: false, copied: 0 };
    throw error;
  }
}

async function copyAndSwap(deps: PartitionDeps, act: Act, table: MonthlyTable): Promise<Partitioning> {
  const { db, now, report = () => {} } = deps;
  const { name, rows } = table;
  const soon = [-1, 0, 1, 2, 3].map((months) => startOfMonth(now(), months));
  if (!(await queries.isBegun(db, table)) || !(await queries.hasSameColumns(db, table))) {
    await retryWhileLocked(() => inTransaction(db, (tx) => queries.begin(tx, table, soon)));
  }
  await createPartitions(deps, table);
  const copied = await copyAll(deps, table);
  report(`${rows}: comparing the two tables.`);
  const differences = await inTransaction(db, (tx) => queries.countDifferences(tx, table), {
    isolationLevel: "repeatable read",
  });
  if (differences > 0)
    throw new AppError(
      "CONFLICT",
      `The copy of ${name} differs in ${formatCount(differences, "row")}: the table stays as it was.`,
    );
  await retryWhileLocked(() =>
    administer({ db, now }, act, async (tx, note) => {
      await note({ action: "database.partitioned", subject: "job", subjectId: name, details: { copied } });
      await queries.swap(tx, table, LOCK_TIMEOUT_MS);
    }),
  );
  return { rows, divided: true, copied };
}

/** Creates a partition for every month that has rows. */
async function createPartitions({ db }: PartitionDeps, table: MonthlyTable): Promise<void> {
  const range = await queries.findRange(db, table);
  if (!range) return;
  for (let from = startOfMonth(range.first); from <= range.last; from = startOfMonth(from, 1)) {
    await retryWhileLocked(() => addMonth(db, `${table.name}_monthly`, from));
  }
}

async function copyAll({ db, report = () => {}, batch = BATCH }: PartitionDeps, table: MonthlyTable): Promise<number> {
  let reported = 0;
  for (;;) {
    const { copied, isWhole } = await inTransaction(db, async (tx) => {
      await queries.requireSameColumns(tx, table);
      return queries.copyNext(tx, table, batch);
    });
    if (isWhole || copied - reported >= 20 * batch) report(`${table.rows}: ${formatCount(copied, "row")} copied.`);
    if (isWhole) return copied;
    if (copied - reported >= 20 * batch) reported = copied;
  }
}
