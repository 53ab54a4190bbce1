import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDataFolder } from "../../../tests/support/database/empty-database.ts";
import { QUICK_ENGINE } from "../../../tests/support/servers/quick-engine.ts";
import { openDatabase } from "../client.ts";
import { inTransaction, limitStatements } from "../transaction.ts";
import { DatabaseCannotOpen, isDatabaseUnavailable } from "../unavailable.ts";
import { EngineThread } from "./engine-thread.ts";
import { maintain } from "./maintenance.ts";

const log = pino({ level: "silent" });
let folder: string;
const cleanUps: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await createDataFolder();
});

afterEach(async () => {
  vi.useRealTimers();
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

async function open(dataDir: string) {
  const database = await openDatabase({ dataDir, log });
  cleanUps.push(() => database.close());
  return database;
}

test("refuses a second process on the same folder, with a clear message, until the first has exited", async () => {
  const program = fileURLToPath(new URL("writer.fixture.ts", import.meta.url));
  const first = spawn(process.execPath, [...QUICK_ENGINE, program, folder], { stdio: ["ignore", "pipe", "inherit"] });
  cleanUps.push(() => first.kill("SIGKILL"));
  await once(first.stdout, "data");

  const second = await openDatabase({ dataDir: folder, log }).catch((error: unknown) => error);
  expect(second).toBeInstanceOf(DatabaseCannotOpen);
  expect(second).toHaveProperty(
    "message",
    `Another process is using the database in ${join(folder, "db")}. Stop it first, or set DATA_DIR to another folder.`,
  );

  first.kill("SIGKILL");
  await once(first, "exit");
  const third = await open(folder);
  expect(await third.check()).toEqual({ ok: true });
});

test("explains what to do if the lock cannot be taken for another reason", async () => {
  const lock = join(folder, "db", "lock");
  rmSync(lock, { force: true });
  mkdirSync(lock);
  await expect(openDatabase({ dataDir: folder, log })).rejects.toEqual(
    new DatabaseCannotOpen(
      `${lock} cannot be locked (unable to open database file). Start as the user whose folder it is, or set DATA_DIR to another one.`,
    ),
  );
});

test("works in a folder too deep for a Unix socket, syncs commits to disk, and reports when it is closed", async () => {
  const deep = join(folder, "d".repeat(120), "e".repeat(120));
  mkdirSync(deep, { recursive: true });
  renameSync(join(folder, "db"), join(deep, "db"));
  const database = await open(deep);
  expect(await database.check()).toEqual({ ok: true });
  expect(existsSync(join(deep, "db", "socket"))).toBe(false);
  const { rows } = await database.pool.query(
    "select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method",
  );
  expect(rows).toEqual([{ fsync: "on", method: "fsync" }]);
  await database.close();
  expect(await database.check()).toEqual({ ok: false, reason: "The database is closed." });
});

test("refuses a folder that cannot be created, with a clear message", async () => {
  writeFileSync(join(folder, "file"), "");
  const dataDir = join(folder, "file", "data");
  const failure = await openDatabase({ dataDir, log }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseCannotOpen);
  expect(failure).toHaveProperty(
    "message",
    `The folder ${join(dataDir, "db")} cannot be written to. Set DATA_DIR to one that can.`,
  );
});

test("cuts off a statement that never ends and recovers without a restart of the process", async () => {
  const database = await open(folder);
  await database.pool.query("create table written (number integer)");
  await database.pool.query("insert into written values (1)");

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const endless = database.pool.query("do $$ begin loop end loop; end $$").catch((error: unknown) => error);
  await passTime(() => !database.status().ok);
  expect(database.status()).toEqual({ ok: false, reason: "The database is busy." });
  const failure = await Promise.race([endless, passTime(() => false)]);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  await passTime(() => database.status().ok);
  vi.useRealTimers();

  // A connection may still be refused because it is too early.
  const readRows = async () => (await database.pool.query("select number from written")).rows;
  await expect.poll(readRows).toEqual([{ number: 1 }]);
});

test("retries an engine that fails to start, after growing pauses, until it starts", async () => {
  const looks = vi.spyOn(fs.promises, "statfs");
  cleanUps.push(() => looks.mockRestore());
  const failedAt: number[] = [];
  const write = (line: string) => {
    if (line.includes("could not be started again")) failedAt.push(looks.mock.calls.length);
  };
  const database = await openDatabase({ dataDir: folder, log: pino({ level: "error" }, { write }) });
  cleanUps.push(() => database.close());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const endless = database.pool.query("do $$ begin loop end loop; end $$").catch(String);
  await passTime(() => !database.status().ok);
  // Moves them only now that the engine runs, because it could not read its files in another place.
  const files = join(folder, "db", "postgres");
  renameSync(files, `${files}-elsewhere`);
  // Looks like a folder that was once a database.
  mkdirSync(files);
  writeFileSync(join(files, "PG_VERSION"), "");

  await passTime(() => failedAt.length === 3);
  // The disk is checked once a second.
  expect(failedAt.slice(1).map((at, nth) => at - (failedAt[nth] ?? 0))).toEqual([1, 2]);

  rmSync(files, { recursive: true });
  renameSync(`${files}-elsewhere`, files);
  await passTime(() => database.status().ok);
  await endless;
});

test("stops an engine that neither starts nor fails within its time limit", async () => {
  const files = join(folder, "db", "postgres");
  // Makes it sleep for half an hour while starting.
  appendFileSync(join(files, "postgresql.conf"), "post_auth_delay = 1800\n");
  const started = EngineThread.start({ folder: files, socket: join(folder, "engine.sock") }, log, {
    limit: 5_000,
  });
  await expect(started).rejects.toEqual(
    new DatabaseCannotOpen("The embedded database did not start: it took more than 5 s"),
  );
});

test("closes without waiting for an engine that takes long to start again", async () => {
  const database = await open(folder);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const endless = database.pool.query("do $$ begin loop end loop; end $$").catch(String);
  appendFileSync(join(folder, "db", "postgres", "postgresql.conf"), "post_auth_delay = 1800\n");
  const restarting = { ok: false, reason: "The database is restarting." };
  await passTime(() => isDeepStrictEqual(database.status(), restarting));
  await endless;
  // Now it is on its way.
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  await database.close();
  expect(database.status()).toEqual({ ok: false, reason: "The database is closed." });
});

test("waits for a statement without a time limit, such as one that sums up the ledger", async () => {
  const database = await open(folder);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const summed = inTransaction(database.db, async (tx) => {
    await limitStatements(tx, 0);
    await tx.execute(sql`do $$ begin
      while (pg_stat_file(current_setting('data_directory') || '/over', true)).size is null loop end loop;
    end $$`);
    return "summed";
  }).catch(String);
  await passTime(() => !database.status().ok);
  let seconds = 0;
  await passTime(() => (seconds += 1) > 100);
  writeFileSync(join(folder, "db", "postgres", "over"), "");
  expect(await summed).toBe("summed");
});

/**
 * Advances the clock second by second until a condition holds, running everything that the process does in each. Pauses
 * in each second, so that an engine that is not busy gets the processor and can answer.
 */
async function passTime(isSo: () => boolean) {
  while (!isSo()) {
    await vi.advanceTimersByTimeAsync(1_000);
    await wait(5);
  }
}

test("maintenance vacuums changed tables and shortens the write-ahead log", async () => {
  const { pool } = await open(folder);
  await pool.query("create table changing (id integer primary key, filler text storage external)");
  await pool.query("insert into changing select i, repeat('x', 8000) from generate_series(1, 5000) i");
  await pool.query("update changing set filler = repeat('y', 8000)");
  expect(await measureLog()).toBeGreaterThan(64);

  await maintain(pool);

  expect(await measureLog()).toBeLessThan(8);
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query(
    "select last_vacuum is not null as vacuumed, n_dead_tup from pg_stat_user_tables where relname = 'changing'",
  );
  expect(rows).toEqual([{ vacuumed: true, n_dead_tup: "0" }]);

  /** Returns how much log a start after a crash would replay, in mebibytes. */
  async function measureLog() {
    const { rows } = await pool.query<{ bytes: string }>(
      "select pg_current_wal_insert_lsn() - redo_lsn as bytes from pg_control_checkpoint()",
    );
    return Number(rows[0]?.bytes) / 1024 / 1024;
  }
});
