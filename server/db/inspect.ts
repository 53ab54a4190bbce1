import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import * as z from "zod";
import { readSchemaState, type SchemaState } from "./schema-state.ts";

const Row = z.object({
  version: z.string(),
  role: z.string(),
  encoding: z.string(),
  bytes: z.coerce.number(),
  isReadOnly: z.boolean(),
  connections: z.coerce.number(),
  mostConnections: z.coerce.number(),
  /** In milliseconds since 1970, by the database's clock. */
  time: z.coerce.number(),
  withoutRights: z.array(z.string()),
  /** Which of the tables that can be divided by month are not. A server of an earlier version does not say. */
  undivided: z.array(z.string()).default([]),
});

export const DatabaseFacts = Row.extend({
  schema: z.object({
    reached: z.string().nullable(),
    reachedAt: z.number(),
    missing: z.array(z.string()),
    isLater: z.boolean(),
  }),
  /** How far the database's clock is ahead of ours, in milliseconds. `clockError` is how far off that may be. */
  clockAhead: z.number(),
  clockError: z.number(),
});
export type DatabaseFacts = z.infer<typeof DatabaseFacts>;

/** Reports on a database without changing anything. */
export async function inspectDatabase(db: Pick<NodePgDatabase, "execute">): Promise<DatabaseFacts> {
  const schema: SchemaState = await readSchemaState(db);
  const before = Date.now();
  const { rows } = await db.execute(sql`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      current_user as role,
      current_setting('server_encoding') as encoding,
      pg_database_size(current_database()) as bytes,
      current_setting('transaction_read_only')::boolean as "isReadOnly",
      -- A role may not see of what kind those of other roles are.
      (select count(*) from pg_stat_activity
        where usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend') as connections,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        as "mostConnections",
      extract(epoch from clock_timestamp()) * 1000 as time,
      array(
        select c.relname::text
        from pg_class c
        -- Parts of a table are used by the rights to the whole.
        where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p') and not c.relispartition
          and not has_table_privilege(c.oid, 'select, insert, update, delete')
        order by 1
      ) as "withoutRights",
      array(
        select c.relname::text
        from pg_class c
        where c.oid in (to_regclass('heartbeats'), to_regclass('points_ledger')) and c.relkind = 'r'
        order by 1
      ) as undivided`);
  const after = Date.now();
  const row = Row.parse(rows[0]);
  return { ...row, schema, clockAhead: Math.round(row.time - (before + after) / 2), clockError: (after - before) / 2 };
}
