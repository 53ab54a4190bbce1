import { sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { isDivided } from "../db/months.ts";
import { monthlyTables } from "../db/schema.ts";

/** How heartbeats lie on the disk, and how far they are divided: `copied` is null where nobody is at it. */
export async function readMonths(db: Db) {
  const state = await db.query.monthlyTables.findFirst({ where: sql`${monthlyTables.name} = 'heartbeats'` });
  const { rows } = await db.execute<{ name: string; bytes: string; rows: string; begun: boolean }>(sql`
    select relname as name, pg_total_relation_size(oid) as bytes, greatest(reltuples, 0)::bigint as rows,
      to_regclass('heartbeats_monthly') is not null as begun
    from pg_class where relkind = 'r' and (oid = to_regclass('heartbeats')
      or oid in (select inhrelid from pg_inherits where inhparent = to_regclass('heartbeats')))
    order by 1`);
  return {
    divided: await isDivided(db, "heartbeats"),
    copied: rows.some(({ begun }) => begun) ? (state?.copied ?? 0) : null,
    keptFrom: state?.keptFrom?.toISOString() ?? null,
    parts: rows.map(({ bytes, name, rows: count }) => ({ name, bytes: Number(bytes), rows: Number(count) })),
  };
}
