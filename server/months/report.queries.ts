import { eq, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { isPartitioned } from "../db/months.ts";
import { monthlyTables } from "../db/schema.ts";
import type { MonthlyTable } from "./monthly-table.ts";

/**
 * Reports how a table is stored, and how many rows of it have been copied. `copied` is null if no conversion is in
 * progress.
 */
export async function readMonths(db: Db, { name: table, rows: called }: MonthlyTable) {
  const state = await db.query.monthlyTables.findFirst({ where: eq(monthlyTables.name, table) });
  const { rows } = await db.execute<{ name: string; bytes: string; rows: string | null; begun: boolean }>(sql`
    select relname as name, pg_total_relation_size(oid) as bytes, nullif(reltuples, -1)::bigint as rows,
      to_regclass(${`${table}_monthly`}) is not null as begun
    from pg_class where relkind = 'r' and (oid = to_regclass(${table})
      or oid in (select inhrelid from pg_inherits where inhparent = to_regclass(${table})))
    order by 1`);
  return {
    table,
    rows: called,
    divided: await isPartitioned(db, table),
    copied: rows.some(({ begun }) => begun) ? (state?.copied ?? 0) : null,
    keptFrom: state?.keptFrom?.toISOString() ?? null,
    // Null if the database has not counted them yet.
    parts: rows.map(({ bytes, name, rows: count }) => ({
      name,
      bytes: Number(bytes),
      rows: count === null ? null : Number(count),
    })),
  };
}
