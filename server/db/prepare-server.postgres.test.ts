import { readdirSync } from "node:fs";
import { createServer, connect } from "node:net";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../tests/support/database/postgres.ts";
import { serveLocally } from "../../tests/support/servers/serve-locally.ts";
import { runOn } from "../../tests/support/database/test-database.ts";
import { openDatabase, type Database } from "./client.ts";
import { MIGRATIONS_FOLDER } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { Replica } from "./replica.ts";
import { campaigns } from "./schema.ts";
import { inTransaction } from "./transaction.ts";
import { DatabaseCannotOpen, isDatabaseUnavailable } from "./unavailable.ts";

const silent = pino({ level: "silent" });
let server: TestPostgres;
const databases: Database[] = [];

beforeAll(async () => {
  server = await startPostgres();
  await runOn(server.url, "create role app login");
});
afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()));
});
afterAll(() => server.stop());

async function open(databaseUrl: string, databasePoolSize?: number, log = silent): Promise<Database> {
  const database = await openDatabase({ databaseUrl, databasePoolSize, dataDir: "", log });
  databases.push(database);
  return database;
}

const sentenceOf = (opening: Promise<unknown>) =>
  opening.then(
    () => "It was opened.",
    (error: unknown) => (error instanceof DatabaseCannotOpen ? error.message : error),
  );

/** Creates a new database. Returns its address for its owner, and for a role that may only use what is in it. */
async function createDatabase(name: string) {
  await runOn(server.url, `create database ${name}`);
  const [owner, app] = [new URL(server.url), new URL(server.url)];
  owner.pathname = app.pathname = name;
  app.username = "app";
  return { owner: owner.href, app: app.href };
}

/** The same as in docs/operations.md. */
const GRANTS = `grant usage on schema drizzle to app; grant select on all tables in schema drizzle to app;
  grant select, insert, update, delete on all tables in schema public to app`;

test("a role that may not create tables starts if they are up to date, and otherwise says what to run", async () => {
  const { owner, app } = await createDatabase("roles");
  const told = (problem: string) =>
    `The database "roles" on ${new URL(owner).searchParams.get("host")}:5432 does not have the tables of this version, ` +
    `and "app" may not make them: ${problem}. ` +
    'Run `npm run ops -- database migrate --grant-to app` as the role that owns the tables; after that Nodebeat starts as "app".';
  expect(await sentenceOf(open(app))).toBe(told("permission denied for database roles"));

  await open(owner);
  expect(await sentenceOf(open(app))).toBe(told("permission denied for schema drizzle"));

  await runOn(owner, GRANTS);
  const { db } = await open(app);
  expect(await db.$count(campaigns)).toBe(0);

  await runOn(
    owner,
    "delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)",
  );
  expect(await sentenceOf(open(app))).toMatch(
    /does not have the tables of this version, and "app" may not make them: /,
  );
});

test("a read-only database opens if its tables are up to date, and otherwise says what to do", async () => {
  const { owner } = await createDatabase("replica");
  await runOn(server.url, "alter database replica set default_transaction_read_only = on");
  expect(await sentenceOf(openPostgres(owner, silent, { startLimit: 0 }))).toMatch(
    /does not have the tables of this version, and can only be read: .+\. Let DATABASE_URL name the one that takes writes\.$/,
  );
  // It waits until the database takes writes, as after a failover.
  const { promise: isWaiting, resolve } = Promise.withResolvers<string>();
  const log = pino({ level: "warn" }, { write: (line) => resolve(line) });
  const opening = open(owner, 1, log);
  expect(await isWaiting).toContain("can only be read");
  await runOn(server.url, "alter database replica reset default_transaction_read_only");
  await opening;
  await runOn(server.url, "alter database replica set default_transaction_read_only = on");
  expect((await (await open(owner)).check()).ok).toBe(false);
});

test("waits at start for a server with no connection left, and fails as unavailable if it runs out later", async () => {
  const { owner, app } = await createDatabase("crowded");
  await open(owner);
  await runOn(owner, `${GRANTS}; alter role app connection limit 1`);
  const holder = new Client(app);
  await holder.connect();
  const { promise: isWaiting, resolve } = Promise.withResolvers<string>();
  const log = pino({ level: "warn" }, { write: (line) => resolve(line) });
  const opening = open(app, 4, log);
  expect(await isWaiting).toContain("too many connections for role");
  await holder.end();

  const database = await opening;
  const refused = await inTransaction(database.db, async (tx) => {
    await tx.execute(sql`select 1`);
    const check = await database.check();
    expect(check).toEqual({ ok: false, reason: "The database has no connection left." });
    return [database.status(), database.readiness()];
  });
  expect(refused).toEqual([{ ok: true }, { ok: true }]);
  const both = await Promise.allSettled([1, 2].map(() => database.db.execute(sql`select pg_sleep(0.05)`)));
  const [failed] = both.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  expect(isDatabaseUnavailable(failed)).toBe(true);
  expect(await database.check()).toEqual({ ok: true });

  // A process that has lost its connections to others can do nothing. It asks again each time.
  await runOn(
    server.url,
    "alter role app connection limit 0; select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'",
  );
  const none = { ok: false, reason: "The database has no connection left." };
  await expect.poll(() => database.readiness()).toEqual(none);
  expect([database.status(), await database.check()]).toEqual([{ ok: true }, none]);
  await runOn(server.url, "alter role app connection limit -1");
});

/** Creates a database of an earlier version. Migrating it to the present version changes `webhook_endpoints`. */
async function createEarlier(name: string): Promise<string> {
  const { owner } = await createDatabase(name);
  await runOn(
    owner,
    "create schema drizzle; create table drizzle.__drizzle_migrations (id serial primary key, hash text, created_at bigint)",
  );
  const all = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
  const before = all.slice(0, readdirSync(MIGRATIONS_FOLDER).indexOf("0025_paused_webhooks.sql"));
  await runOn(owner, before.flatMap((migration) => migration.sql).join(";"));
  await runOn(owner, `insert into drizzle.__drizzle_migrations (created_at) values (${before.at(-1)?.folderMillis})`);
  return owner;
}

test("a migration waits for a long reader without blocking others, and says so if it gives up", async () => {
  const owner = await createEarlier("dumped");
  const [dump, other] = [new Client(owner), new Client(owner)];
  await Promise.all([dump.connect(), other.connect()]);
  await dump.query("begin; select from webhook_endpoints");
  const { promise: isWaiting, resolve } = Promise.withResolvers<string>();
  const log = pino({ level: "warn" }, { write: (line) => resolve(line) });
  const opening = open(owner, 1, log);
  expect(await isWaiting).toContain("canceling statement due to lock timeout");

  await other.query("set statement_timeout = '3s'");
  expect((await other.query("select from webhook_endpoints")).rowCount).toBe(0);
  expect(await sentenceOf(openPostgres(owner, silent, { startLimit: 0 }))).toMatch(
    /does not have the tables of this version, and others had one of them for too long: .+ lock timeout\. Try again once their transactions, such as a pg_dump's, are over\.$/,
  );

  await dump.query("rollback");
  const { db } = await opening;
  expect((await db.execute(sql`select paused_at from webhook_endpoints`)).rows).toEqual([]);
  await Promise.all([dump.end(), other.end()]);
});

test("a migration that loses its connection starts again on a new one", async () => {
  const owner = await createEarlier("failing");
  const dump = new Client(owner);
  await dump.connect();
  await dump.query("begin; select from webhook_endpoints");
  const heard = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let lines = 0;
  const log = pino({ level: "warn" }, { write: (line) => heard[lines++]?.resolve(line) });
  const opening = open(owner, 1, log);
  expect(await heard[0]?.promise).toContain("canceling statement due to lock timeout");

  await runOn(
    server.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'failing' and application_name = 'nodebeat'`,
  );
  expect(await heard[1]?.promise).toContain("PostgreSQL cannot be used yet: trying again");
  await dump.query("rollback");
  const { db } = await opening;
  expect((await db.execute(sql`select paused_at from webhook_endpoints`)).rows).toEqual([]);
  await dump.end();
});

type Change = (text: string) => string;
const unchanged: Change = (text) => text;

/** Relays traffic between a client and a server, and can change it on the way. */
async function startRelay(url: string, changes: { asked?: Change; answered?: Change }) {
  const { asked = unchanged, answered = unchanged } = changes;
  const socket = `${new URL(url).searchParams.get("host")}/.s.PGSQL.5432`;
  const relay = createServer((client) => {
    const upstream = connect(socket);
    client.on("data", (chunk: Buffer) => void upstream.write(asked(chunk.toString("latin1")), "latin1"));
    upstream.on("data", (chunk: Buffer) => void client.write(answered(chunk.toString("latin1")), "latin1"));
    client.once("end", () => upstream.end());
    upstream.once("end", () => client.end());
    // Either side may hang up before it has read everything.
    upstream.once("error", () => client.destroy());
    client.once("error", () => upstream.destroy());
  });
  const { port } = await serveLocally(relay);
  return { relay, url: `postgres://postgres@127.0.0.1:${port}/postgres` };
}

/** Replaces the version with one of the same length. */
const sayOlder = (text: string) => text.replaceAll(/\b1[5-9](?=\.\d)/g, "14");

test("refuses a PostgreSQL that is too old, with a clear message", async () => {
  const older = await startRelay(server.url, { answered: sayOlder });
  expect(await sentenceOf(open(older.url))).toMatch(
    /^The database "postgres" on 127\.0\.0\.1:\d+ is a PostgreSQL 14\.\d+, which is too old: Nodebeat needs 15 or newer\.$/,
  );
  older.relay.close();
});

test.each([
  { name: "times", own: "DateStyle = 'German'", right: "DateStyle = 'ISO'" },
  { name: "sight", own: "search_path = 'elsewhere'", right: "search_path = public" },
])("refuses a database with the setting $own and names the statement that fixes it", async (setting) => {
  const { owner } = await createDatabase(setting.name);
  await open(owner);
  await runOn(owner, `alter database ${setting.name} set ${setting.own}`);
  const [, statement = ""] = /run `(.+)`/.exec(String(await sentenceOf(open(owner)))) ?? [];
  expect(statement).toContain(setting.right);
  await runOn(owner, statement);
  expect(await sentenceOf(open(owner))).toBe("It was opened.");
});

const RULES = { every: 20, mostLag: 60_000, connectLimit: 500, queryLimit: 20_000, readLimit: 20_000 };

test("a replica that hangs while connecting is checked again", async () => {
  const { promise: isFrozen, resolve: freeze } = Promise.withResolvers<void>();
  let hangs = true;
  // The last thing that a new connection sends before it is used.
  function asked(text: string) {
    if (!hangs || !text.includes("set client_connection_check_interval")) return text;
    freeze();
    return "";
  }
  const { relay, url } = await startRelay(server.url, { asked });
  const { pool } = await open(server.url);
  const replica = new Replica(url, { primary: pool, log: silent, rules: RULES });
  await isFrozen;
  hangs = false;
  const reason = "It is not a replica: it takes writes itself.";
  await expect.poll(() => replica.status, { timeout: 20_000 }).toEqual({ ok: false, reason });
  await replica.close();
  relay.close();
});

/**
 * Makes the server answer as a replica to clients that look into this schema: its log position, and when it started.
 */
const sayAsReplica = (place: string, upSince: string) =>
  runOn(
    server.url,
    `create schema if not exists said;
    create or replace function said.pg_is_in_recovery() returns boolean language sql as 'select true';
    create or replace function said.pg_last_wal_replay_lsn() returns pg_lsn language sql as $$ select ${place} $$;
    create or replace function said.pg_postmaster_start_time() returns timestamptz language sql as
      $$ select timestamptz '${upSince}' $$`,
  );

test("a replica that is ahead of the primary is not used until it restarts", async () => {
  await sayAsReplica("'FF/0'::pg_lsn", "epoch");
  const url = new URL(server.url);
  url.searchParams.set("options", "-csearch_path=said,pg_catalog");
  const { pool } = await open(server.url);
  const replica = new Replica(url.href, { primary: pool, log: silent, rules: RULES });
  const reason =
    "It is ahead of the primary: it follows another log, for example from before a restore. Set it up again.";
  await expect.poll(() => replica.status, { timeout: 20_000 }).toEqual({ ok: false, reason });
  expect(await replica.has("0/1")).toBe("away");

  await sayAsReplica("pg_catalog.pg_current_wal_flush_lsn()", "infinity");
  await expect.poll(() => replica.status, { timeout: 20_000 }).toEqual({ ok: true });
  await replica.close();
});
