import { lt, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../db/client.ts";

export const DAY_SECONDS = 24 * 60 * 60;

/** A table whose rows expire. `isOver` must use an index. */
export type Prunable = { table: PgTable; isOver: (now: Date) => SQL | undefined };

/** Makes rows expire so many seconds after one of their timestamps, which must have an index. */
export const endingAt = (instant: PgColumn, secondsLater = 0): Prunable => ({
  table: instant.table,
  isOver: (now) => lt(instant, new Date(now.getTime() - secondsLater * 1000)),
});

/** How many rows of each kind to remove at once, so that a statement only takes a moment. */
export const PRUNE_BATCH_SIZE = 5000;

/** Removes a limited number of expired rows of each kind. Returns how many. */
export async function prune<Name extends string>(
  { db, now }: { db: Db; now: () => Date },
  list: Readonly<Record<Name, Prunable>>,
): Promise<Record<Name, number>> {
  const removed: Partial<Record<Name, number>> = {};
  for (const name in list) removed[name] = await removeRows(db, list[name], now());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name of the list now has its number
  return removed as Record<Name, number>;
}

/**
 * Removes rows by their position in the table (ctid). A row that changes gets a new position: then it is no longer
 * expired, or is removed later.
 */
async function removeRows(db: Db, { isOver, table }: Prunable, now: Date): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from ${table} where ${isOver(now)}
    and ctid = any (array(${selectOver({ isOver, table }, now)}))`);
  return rowCount ?? 0;
}

/**
 * Selects the positions of expired rows, as many as are removed at once. Locked rows are left for the next time,
 * because waiting for one while holding others leads to deadlocks.
 */
export const selectOver = ({ isOver, table }: Prunable, now: Date): SQL =>
  sql`select ctid from ${table} where ${isOver(now)} limit ${PRUNE_BATCH_SIZE} for update skip locked`;
