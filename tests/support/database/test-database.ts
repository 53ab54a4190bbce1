import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { pino } from "pino";
import { openDatabase, openMemoryDatabase, type Database } from "../../../server/db/client.ts";
import { findMemorySnapshot } from "./empty-database.ts";

export type TestDatabase = Database & {
  /** Empties every table, also those that refuse it. */
  reset(): Promise<void>;
};

type KeptDatabase = TestDatabase & {
  /** Makes every table new, with nothing left of what there was, not even its size: plans of queries depend on it. */
  renew(): Promise<void>;
};

/** The database on the test server that every other one is copied from. */
export const TEMPLATE = "nodebeat_template";

const log = pino({ level: "silent" });

/** Those that a file of this worker is done with. */
const idle: KeptDatabase[] = [];

/**
 * An empty database with today's schema, for one test file: on the PostgreSQL at TEST_DATABASE_URL, else in memory.
 * Once closed, the next file of the same worker has it: a new one costs more than most files.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const kept = idle.pop();
  // A test that ran out of time may have left one busy.
  const isReady = await kept?.renew().then(
    () => true,
    () => false,
  );
  const database = kept && isReady ? kept : await openTestDatabase();
  let isOurs = true;

  async function close() {
    if (isOurs && database.status().ok) idle.push(database);
    isOurs = false;
  }
  return { ...database, close };
}

/** The same for this process alone, which ends with `close()`. */
export async function openTestDatabase(): Promise<KeptDatabase> {
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
  // More than a process has: many a test is several at once, which hold their own.
  const database = await openDatabase({ databaseUrl: url.href, databasePoolSize: 10, dataDir: "", log });

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

async function listTables({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
       from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema', 'drizzle')`,
  );
  return rows.map(({ name }) => name);
}

/** Without triggers, since the ledger's refuse to let a row go. */
const describeRenewal = (tables: string[]) =>
  `begin; set local session_replication_role = replica; truncate ${tables.join(", ")} restart identity; commit`;

/** The same for the rows alone, in a tenth of the time: most tables of most tests have few or none. */
function describeEmptying(tables: string[]): string {
  const emptyings = tables.map((name) => `if exists (select from ${name}) then delete from ${name}; end if;`);
  return `do $$ begin
    -- What still writes is waited for.
    lock table ${tables.join(", ")} in exclusive mode;
    set local session_replication_role = replica;
    ${emptyings.join("\n")}
  end $$`;
}
