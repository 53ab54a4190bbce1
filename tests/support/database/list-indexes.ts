import { sql } from "drizzle-orm";
import type { Db } from "../../../server/db/client.ts";

/** Returns the columns of each of a table's indexes, in order. */
export async function listIndexes(db: Db, table: string): Promise<string[]> {
  const { rows } = await db.execute<{ columns: string }>(sql`
    select substring(pg_get_indexdef(indexrelid) from '\\(.*\\)') as columns
    from pg_index where indrelid = ${table}::regclass order by 1`);
  return rows.map(({ columns }) => columns);
}
