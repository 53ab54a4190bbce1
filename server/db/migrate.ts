import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { setLockTimeout } from "./months.ts";
import { limitStatements } from "./transaction.ts";

export const MIGRATIONS_FOLDER = fileURLToPath(new URL("./migrations", import.meta.url));

/** An arbitrary number that nothing else locks. */
const LOCK = 6_032_003;

/**
 * How long to wait for a table that somebody else has locked, in milliseconds. Everybody else who needs the table, even
 * to read it, waits behind the migration, and a member's request does so for no more than 1.5 s.
 */
const LOCK_LIMIT = 1_000;

/**
 * Migrates the schema, all of it or nothing. Processes that start together wait for the first. If nothing is missing,
 * it only reads, so a role without the right to create tables will do, and so will a read-only database. Throws 55P03
 * if somebody had locked one of the tables for too long; nothing has changed then.
 */
export async function migrateDatabase(client: pg.Client | pg.PoolClient): Promise<void> {
  const db = drizzle(client);
  if ((await listMissing(db)).length === 0) return;
  await db.transaction(async (tx) => {
    // No time limit: large tables take long. The lock belongs to the transaction, because a pooler lends a session for
    // no longer.
    await limitStatements(tx, 0);
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    await tx.execute(setLockTimeout(LOCK_LIMIT));
    await tx.execute(sql`create schema if not exists drizzle`);
    await tx.execute(
      sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
    );
    for (const migration of await listMissing(tx)) {
      for (const statement of migration.sql) await tx.execute(sql.raw(statement));
      await tx.execute(
        sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${migration.hash}, ${migration.folderMillis})`,
      );
    }
  });
}

/**
 * Returns when the latest migration that ran was made, from the table that Drizzle's own migrator keeps, or 0 if none
 * ran.
 */
export async function readLatestMigration(db: Pick<NodePgDatabase, "execute">): Promise<number> {
  const found = await db.execute(sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`);
  const last = found.rows[0]?.isThere
    ? await db.execute(sql`select max(created_at) as "createdAt" from drizzle.__drizzle_migrations`)
    : undefined;
  return Number(last?.rows[0]?.createdAt ?? 0);
}

/** Lists the migrations that have not run yet. There are none if a later version has migrated the database. */
async function listMissing(db: Pick<NodePgDatabase, "execute">) {
  const reached = await readLatestMigration(db);
  const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
  return migrations.filter(({ folderMillis }) => folderMillis > reached);
}
