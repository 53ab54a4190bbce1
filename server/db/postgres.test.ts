import { renameSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startPostgres, type TestPostgres } from "../../tests/support/database/postgres.ts";
import { openDatabase, type Database } from "./client.ts";
import { openPostgres } from "./postgres.ts";
import * as schema from "./schema.ts";
import { inTransaction, limitStatements } from "./transaction.ts";
import { DatabaseCannotOpen, isDatabaseUnavailable } from "./unavailable.ts";

const log = pino({ level: "silent" });
const SOON = { timeout: 20_000, interval: 50 };
let server: TestPostgres;
let databases: Database[] = [];

beforeAll(async () => {
  server = await startPostgres();
});
afterEach(async () => {
  await Promise.all(databases.map((database) => database.close()));
  databases = [];
});
afterAll(() => server.stop());

async function open(): Promise<Database> {
  const database = await openDatabase({ databaseUrl: server.url, dataDir: "", log });
  databases.push(database);
  return database;
}

test("processes that start concurrently on an empty database all come up, and migrate it once", async () => {
  const [first] = await Promise.all([open(), open(), open(), open()]);
  const { rows } = await first.db.execute(
    sql`select hash, count(*)::int from drizzle.__drizzle_migrations group by hash`,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ count }) => count === 1)).toBe(true);
});

test("replaces connections that are lost in a transaction, even more of them than the pool holds", async () => {
  const { db } = await open();
  for (let round = 0; round < 15; round += 1) {
    const cut = inTransaction(db, (tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`));
    expect(isDatabaseUnavailable(await cut.catch((error: unknown) => error))).toBe(true);
  }
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

test("replaces connections that are lost while checked out, even if they are never released", async () => {
  const { db, pool } = await open();
  const admin = new Client(server.url);
  await admin.connect();
  for (let round = 0; round < 12; round += 1) {
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const lost = new Promise((resolve) => client.once("end", () => resolve(undefined)));
    await admin.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await lost;
  }
  await admin.end();
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

test("responds with 503 at once during an outage, and recovers without a restart", async () => {
  const database = await open();
  const socket = join(new URL(server.url).searchParams.get("host") ?? "", ".s.PGSQL.5432");
  const client = await database.pool.connect();
  renameSync(socket, `${socket}.away`);
  await expect(client.query("select pg_terminate_backend(pg_backend_pid())")).rejects.toThrow("terminating connection");

  expect(await database.check()).toEqual({ ok: false, reason: "The database cannot be reached." });
  const refused = await database.db.execute(sql`select 1`).catch((error: unknown) => error);
  expect(isDatabaseUnavailable(refused)).toBe(true);
  await vi.waitFor(() => expect(database.status().ok).toBe(false), SOON);

  renameSync(`${socket}.away`, socket);
  await vi.waitFor(() => expect(database.status().ok).toBe(true), SOON);
  expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

test("a statement that takes too long fails with 503", async () => {
  const { db } = await open();
  const { rows } = await db.execute(sql`show statement_timeout`);
  expect(rows).toEqual([{ statement_timeout: "30s" }]);
  const slow = inTransaction(db, async (tx) => {
    await tx.execute(sql`set local statement_timeout = '20ms'`);
    await tx.execute(sql`select pg_sleep(10)`);
  });
  expect(isDatabaseUnavailable(await slow.catch((error: unknown) => error))).toBe(true);
});

test("closes a silent connection, but not while the server runs a statement without a time limit", async () => {
  const { pool, close } = await openPostgres(server.url, log, { silenceLimit: 1_000 });
  const other = new Client(server.url);
  await other.connect();
  await other.query("select pg_advisory_lock(1)");
  const slow = inTransaction(drizzle(pool, { schema }), async (tx) => {
    await limitStatements(tx, 0);
    return tx.execute(sql`select 1 as one from pg_advisory_xact_lock(1)`);
  });
  // Waits for the question before releasing the lock.
  const findQuestion = "select from pg_stat_activity where query like 'select from pg_stat_activity where pid%'";
  async function isAsked() {
    await expect.poll(async () => (await other.query(findQuestion)).rowCount).toBeGreaterThan(0);
  }
  await Promise.race([slow, isAsked()]);
  await other.query("select pg_advisory_unlock(1)");
  expect((await slow).rows).toEqual([{ one: 1 }]);
  await other.end();

  const held = await pool.connect();
  const ended = new Promise((resolve) => held.once("end", () => resolve("ended")));
  await held.query("begin");
  expect(await ended).toBe("ended");
  await close();
});

test("the message for an unreachable server names it without the password", async () => {
  const url = "postgres://member:secret@127.0.0.1:1/nodebeat";
  const failure = await openPostgres(url, log, { startLimit: 0 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseCannotOpen);
  expect(failure).toHaveProperty(
    "message",
    'The database "nodebeat" on 127.0.0.1:1 cannot be opened as "member": connect ECONNREFUSED 127.0.0.1:1. Check DATABASE_URL.',
  );
});

test("the message for an address with a missing certificate file names the file", async () => {
  const url = "postgres://member:secret@127.0.0.1:1/nodebeat?sslmode=verify-full&sslrootcert=/nowhere/ca.pem";
  await expect(openPostgres(url, log, { startLimit: 0 })).rejects.toEqual(
    new DatabaseCannotOpen(
      "The address of the database cannot be used: ENOENT: no such file or directory, open '/nowhere/ca.pem'. Check DATABASE_URL.",
    ),
  );
});

test("does not wait for a database that does not exist", async () => {
  const url = new URL(server.url);
  url.pathname = "nowhere";
  const failure = await openDatabase({ databaseUrl: url.href, dataDir: "", log }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseCannotOpen);
  expect(String(failure)).toContain('database "nowhere" does not exist');
});
