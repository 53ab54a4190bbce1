import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { pino } from "pino";
import { openDatabase, openMemoryDatabase, type Database } from "../../../server/db/client.ts";
import { findMemorySnapshot } from "./empty-database.ts";

export type TestDatabase = Database & {
  /** Empties every table, even those that forbid deletes. */
  reset(): Promise<void>;
};

type IdleDatabase = TestDatabase & {
  /** Resets every table completely, even its size on disk, because query plans depend on it. */
  renew(): Promise<void>;
};

/** The database on the test server that all others are copied from. */
export const TEMPLATE = "nodebeat_template";

const log = pino({ level: "silent" });

/** The databases that earlier test files of this worker have closed. */
const idle: IdleDatabase[] = [];

/**
 * Creates an empty database with the current schema for one test file: on the PostgreSQL at TEST_DATABASE_URL,
 * otherwise in memory. Once closed, the worker's next file reuses it: a new one costs more than most files.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const reused = idle.pop();
  // A test that timed out may have left it busy.
  const isReady = await reused?.renew().then(
    () => true,
    () => false,
  );
  const database = reused && isReady ? reused : await openTestDatabase();
  let isOurs = true;

  async function close() {
    if (isOurs && database.status().ok) idle.push(database);
    isOurs = false;
  }
  return { ...database, close };
}

/** Creates a database that is not reused and ends with `close()`. */
export async function openTestDatabase(): Promise<IdleDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  const database = server
    ? await openCopy(server)
    : await openMemoryDatabase({ log, snapshot: await findMemorySnapshot() });
  const tables = await listTables(database);
  const [emptying, renewal] = [describeEmptying(tables), describeRenewal(tables)];

  async function reset() {
    await database.pool.query(emptying);
  }
  async function renew() {
    await database.pool.query(renewal);
  }
  return { ...database, reset, renew };
}

async function openCopy(server: string): Promise<Database> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runOn(server, `create database ${name} template ${TEMPLATE}`);
  const url = new URL(server);
  url.pathname = name;
  // More connections than a process has: many tests act as several processes at once, each with its own.
  const database = await openDatabase({ databaseUrl: url.href, databasePoolSize: 10, dataDir: "", log });

  async function close() {
    await database.close();
    await runOn(server, `drop database ${name} with (force)`);
  }
  return { ...database, close };
}

/** Runs one statement on a server's default database. */
export async function runOn(server: string, statement: string): Promise<void> {
  const client = new Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function listTables({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
       from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema', 'drizzle')`,
  );
  return rows.map(({ name }) => name);
}

/** Disables triggers, because the ledger's forbid the deletion of rows. */
const describeRenewal = (tables: string[]) =>
  `begin; set local session_replication_role = replica; truncate ${tables.join(", ")} restart identity; commit`;

/** Deletes the rows only, which takes a tenth of the time: most tables of most tests have few rows or none. */
function describeEmptying(tables: string[]): string {
  const emptyings = tables.map((name) => `if exists (select from ${name}) then delete from ${name}; end if;`);
  return `do $$ begin
    -- What still writes is waited for.
    lock table ${tables.join(", ")} in exclusive mode;
    set local session_replication_role = replica;
    ${emptyings.join("\n")}
  end $$`;
}
