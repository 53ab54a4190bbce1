import type { Db } from "../db/client.ts";
import { addMonthsAhead, isDivided, listMonths, startOfMonth, type Month } from "../db/months.ts";
import { inTransaction } from "../db/transaction.ts";
import { findErrorCode, NOT_ALLOWED, NOT_AVAILABLE } from "../db/unavailable.ts";
import type { Deps } from "../deps.ts";
import type { MonthlyTable } from "./monthly-table.ts";
import * as queries from "./old-months.queries.ts";

/**
 * Makes room for the next months of a table and takes away those that are over, as far as that can be done without
 * keeping anybody waiting; the rest is left for the next time. Does nothing for a table that is not divided yet.
 * `months`: how many whole ones are kept; undefined for all.
 */
export async function turnMonths(
  { db, log, now }: Pick<Deps, "db" | "log" | "now">,
  table: MonthlyTable,
  months: number | undefined,
): Promise<void> {
  const { name } = table;
  if (!(await isDivided(db, name))) return;
  try {
    const added = await addMonthsAhead(db, name, now());
    const removed = months === undefined ? [] : await removeOldMonths({ db, now }, table, months);
    if (added > 0 || removed.length > 0) log.info({ table: name, added, removed }, "added or removed months");
  } catch (error) {
    const code = findErrorCode(error);
    if (code === NOT_ALLOWED) {
      log.warn(
        { table: name },
        "old months are kept: this role may not remove them (npm run ops -- database retire, as the tables' owner)",
      );
    } else if (code === NOT_AVAILABLE) log.debug({ table: name }, "a table is in use: its months are turned later");
    else throw error;
  }
}

type Removing = {
  db: Db;
  now: () => Date;
  /** Drops one that was taken out, with what somebody notes of that. */
  drop?: (name: string) => Promise<void>;
};

/**
 * Sums up each month that began before the last `months` whole ones, takes it out of the table and drops it. Each step
 * can be the last one for now: the next time goes on from there. Returns what was dropped.
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
 * Counted from the present, and from the newest month that has rows: what is old by a clock that is far ahead alone may
 * be what rows still come into, and there is no room again for what was taken away.
 */
async function findOldMonths({ db, now }: Removing, { name }: MonthlyTable, months: number): Promise<Month[]> {
  const all = await listMonths(db, name);
  const isOldAt = (at: Date) => (month: Month) => month.from < startOfMonth(at, -months);
  const old = all.filter(isOldAt(now()));
  // Not before one is: who may not read a month by its own name may not remove it either.
  const newest = old.length > 0 ? await queries.findNewest(db, all) : undefined;
  return newest ? old.filter(isOldAt(newest.from)) : [];
}
