import type { Db } from "../db/client.ts";
import { addMonthsAhead, isPartitioned, listMonths, startOfMonth, type Month } from "../db/months.ts";
import { inTransaction } from "../db/transaction.ts";
import { findErrorCode, INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE } from "../db/unavailable.ts";
import type { Deps } from "../deps.ts";
import type { MonthlyTable } from "./monthly-table.ts";
import * as queries from "./old-months.queries.ts";

/**
 * Creates the next months of a table and removes those that are over, as far as possible without making anybody wait.
 * The next call does the rest. Does nothing if the table is not partitioned yet. `months` is how many whole months to
 * keep; undefined keeps all.
 */
export async function rotateMonths(
  { db, log, now }: Pick<Deps, "db" | "log" | "now">,
  table: MonthlyTable,
  months: number | undefined,
): Promise<void> {
  const { name } = table;
  if (!(await isPartitioned(db, name))) return;
  try {
    const added = await addMonthsAhead(db, name, now());
    const removed = months === undefined ? [] : await removeOldMonths({ db, now }, table, months);
    if (added > 0 || removed.length > 0) log.info({ table: name, added, removed }, "added or removed months");
  } catch (error) {
    const code = findErrorCode(error);
    if (code === INSUFFICIENT_PRIVILEGE) {
      log.warn(
        { table: name },
        "old months are kept: this role may not remove them (npm run ops -- database retire, as the tables' owner)",
      );
    } else if (code === LOCK_NOT_AVAILABLE)
      log.debug({ table: name }, "a table is in use: its months are turned later");
    else throw error;
  }
}

type Removing = {
  db: Db;
  now: () => Date;
  /** Drops a detached month, and may record that. */
  drop?: (name: string) => Promise<void>;
};

/**
 * Sums up each month that is older than the last `months` whole ones, detaches it and drops it. It can stop after any
 * step, and the next call continues from there. Returns the names of the dropped tables.
 */
export async function removeOldMonths(deps: Removing, table: MonthlyTable, months: number): Promise<string[]> {
  const { db, drop = (name: string) => inTransaction(db, (tx) => queries.dropMonth(tx, name)) } = deps;
  for (const month of await findOldMonths(deps, table, months)) {
    await inTransaction(db, (tx) => queries.sumUpMonth(tx, table, month));
    await queries.detachMonth(db, table, month);
  }
  const detached = await queries.findDetached(db, table);
  for (const name of detached) await drop(name);
  return detached;
}

/**
 * Lists months that are old both by our clock and compared with the newest month that has rows. If only a clock that is
 * far ahead says that a month is old, rows may still be arriving in it, and a removed month cannot be added again.
 */
async function findOldMonths({ db, now }: Removing, { name }: MonthlyTable, months: number): Promise<Month[]> {
  const all = await listMonths(db, name);
  const isOldAt = (at: Date) => (month: Month) => month.from < startOfMonth(at, -months);
  const old = all.filter(isOldAt(now()));
  // Queried only if a month is old: it fails for a role that may not read partitions directly, which may not remove
  // them either.
  const newest = old.length > 0 ? await queries.findNewest(db, all) : undefined;
  return newest ? old.filter(isOldAt(newest.from)) : [];
}
