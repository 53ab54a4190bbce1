import { sql } from "drizzle-orm";
import type { Db } from "../../server/db/client.ts";

/** Every row of every table as text; bytes as hexadecimal. */
export async function dumpDatabase(db: Db): Promise<string> {
  const tables = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const rows = [];
  for (const { name } of tables.rows) {
    rows.push(...(await db.execute<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t`)).rows);
  }
  return rows.map(({ row }) => row).join("\n");
}

/** The forms in which a secret may hide in a dump: as it is, and encoded. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, "")];
}
