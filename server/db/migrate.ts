import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type pg from "pg";

export const MIGRATIONS_FOLDER = fileURLToPath(new URL("./migrations", import.meta.url));

/** Any number that nothing else locks. */
const LOCK = 6_032_003;

/** Brings the schema up to date on one connection. Does nothing, in one query, when it is. */
export async function migrateDatabase(client: pg.Client | pg.PoolClient): Promise<void> {
  await migrate(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER });
}

/** The same, one process at a time: those that start together wait for the first. */
export async function migrateSharedDatabase(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [LOCK]);
  try {
    await migrateDatabase(client);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [LOCK]);
  }
}
