import { sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../db/client.ts";

/** Rows whose time is over at some moment. `isOver` stands on an index, `keys` name a row. */
export type Prunable = { table: PgTable; keys: [PgColumn, ...PgColumn[]]; isOver: (now: Date) => SQL | undefined };

/** Rows of each kind that go at once: a statement of a moment. */
export const PRUNE_LIMIT = 5000;

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

async function removeRows(db: Db, { isOver, keys, table }: Prunable, now: Date): Promise<number> {
  const names = sql.join(keys, sql`, `);
  const { rowCount } = await db.execute(sql`
    delete from ${table} where ${isOver(now)}
    and (${names}) in (select ${names} from ${table} where ${isOver(now)} limit ${PRUNE_LIMIT})`);
  return rowCount ?? 0;
}
