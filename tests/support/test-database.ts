import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { pino } from "pino";
import { openDatabase, openMemoryDatabase, type Database } from "../../server/db/client.ts";
import { findMemorySnapshot } from "./empty-database.ts";

export type TestDatabase = Database & {
  /** Empties every table, also those that refuse it. */
  reset(): Promise<void>;
};

/** The database on the test server that every other one is copied from. */
export const TEMPLATE = "nodebeat_template";

const log = pino({ level: "silent" });

/** An empty database with today's schema, for one test file: on the PostgreSQL at TEST_DATABASE_URL, else in memory. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  const database = server
    ? await openCopy(server)
    : await openMemoryDatabase({ log, snapshot: await findMemorySnapshot() });
  const emptying = await describeEmptying(database);

  async function reset() {
    await database.pool.query(emptying);
  }
  return { ...database, reset };
}

async function openCopy(server: string): Promise<Database> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runOn(server, `create database ${name} template ${TEMPLATE}`);
  const url = new URL(server);
  url.pathname = name;
  const database = await openDatabase({ databaseUrl: url.href, dataDir: "", log });

  async function close() {
    await database.close();
    await runOn(server, `drop database ${name} with (force)`);
  }
  return { ...database, close };
}

/** One statement on a server's own database. */
export async function runOn(server: string, statement: string): Promise<void> {
  const client = new Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Row by row and without triggers, since the ledger's refuse it: a tenth of what it takes to truncate every table. */
async function describeEmptying({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
       from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema', 'drizzle')`,
  );
  const emptyings = rows.map(({ name }) => `if exists (select from ${name}) then delete from ${name}; end if;`);
  return `do $$ begin
    -- What still writes is waited for.
    lock table ${rows.map(({ name }) => name).join(", ")} in exclusive mode;
    set local session_replication_role = replica;
    ${emptyings.join("\n")}
  end $$`;
}
