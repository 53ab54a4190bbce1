import { lt, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../db/client.ts";

export const DAY_SECONDS = 24 * 60 * 60;

/** Rows whose time is over at some moment. `isOver` stands on an index. */
export type Prunable = { table: PgTable; isOver: (now: Date) => SQL | undefined };

/** Rows that go so many seconds after an instant of theirs, which has an index. */
export const endingAt = (instant: PgColumn, secondsLater = 0): Prunable => ({
  table: instant.table,
  isOver: (now) => lt(instant, new Date(now.getTime() - secondsLater * 1000)),
});

/** Rows of each kind that go at once: a statement of a moment. */
export const PRUNED_AT_ONCE = 5000;

/** Removes a bounded number of rows of each kind whose time is over; returns how many. */
export async function prune<Name extends string>(
  { db, now }: { db: Db; now: () => Date },
  list: Readonly<Record<Name, Prunable>>,
): Promise<Record<Name, number>> {
  const removed: Partial<Record<Name, number>> = {};
  for (const name in list) removed[name] = await removeRows(db, list[name], now());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name of the list has got its number
  return removed as Record<Name, number>;
}

/**
 * By their place in the table, which is another one once a row has changed: then it is not over any more, or goes
 * later.
 */
async function removeRows(db: Db, { isOver, table }: Prunable, now: Date): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from ${table} where ${isOver(now)}
    and ctid = any (array(${selectOver({ isOver, table }, now)}))`);
  return rowCount ?? 0;
}

/**
 * The places of rows that are over: as many as go at once. Rows that somebody has locked are left for the next time:
 * waiting for one while holding others leads to deadlocks.
 */
export const selectOver = ({ isOver, table }: Prunable, now: Date): SQL =>
  sql`select ctid from ${table} where ${isOver(now)} limit ${PRUNED_AT_ONCE} for update skip locked`;
