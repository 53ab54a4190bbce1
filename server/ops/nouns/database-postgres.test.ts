import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { drizzle } from "drizzle-orm/node-postgres";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestApi, seedMember, SILENT, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { BARE_ENV } from "../../../tests/support/servers/bare-env.ts";
import { startPostgres, type TestPostgres } from "../../../tests/support/database/postgres.ts";
import { runOn } from "../../../tests/support/database/test-database.ts";
import { issueBotCheck, login } from "../../auth/contract.ts";
import { openDatabase } from "../../db/client.ts";
import * as schema from "../../db/schema.ts";
import { examine } from "../backup/examine.ts";
import { runCommand } from "../command.ts";

/** Where Debian has PostgreSQL's programs. The packages of the tests do not include those that copy a database. */
const PROGRAMS = "/usr/lib/postgresql/15/bin";

async function runOps(settings: Record<string, string>, ...args: string[]) {
  const said: string[] = [];
  const note = (text: string) => void said.push(text);
  return `${await runCommand(args, settings, { out: note, err: note })} ${said.join("\n")}`;
}

const run = (settings: Record<string, string>, ...args: string[]) => runOps(settings, "database", ...args);

async function connect(url: string) {
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function inDatabase(server: TestPostgres, name: string, user = "postgres") {
  const url = new URL(server.url);
  url.pathname = name;
  url.username = user;
  return url.href;
}

describe("on any PostgreSQL", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("migrate --grant-to lets a role that owns nothing run the server", async () => {
    await runOn(server.url, "create role app login");
    const settings = { DATABASE_URL: server.url };
    for (const verb of ["status", "show"])
      expect(await run(settings, verb)).toMatch(/^1 The database .+ has no tables of Nodebeat\. Check DATABASE_URL/);
    expect(await run(settings, "migrate", "--check")).toMatch(/^1 Migrations to run: 0000_ground/);
    const asApp = { DATABASE_URL: inDatabase(server, "postgres", "app") };
    expect(await run(asApp, "migrate")).toContain('"app" may not make them');
    expect(await run(settings, "migrate", "--grant-to", "nobody")).toContain('There is no role "nobody"');
    expect(await runOps(asApp, "doctor")).toMatch(
      /^1 [^]*database: "app" cannot see its tables\.\n +As the owner of the tables: .+ --grant-to/,
    );
    expect(await run(settings, "migrate", "--grant-to", "app")).toMatch(/^0 The schema is up to date.+\n"app" can run/);
    const german = { DATABASE_URL: `${asApp.DATABASE_URL}&options=-c%20DateStyle%3DGerman` };
    expect(await runOps(german, "doctor")).toMatch(/^1 [^]*database: It writes times as "German, DMY", which/);
    // Connections of other roles are counted, too.
    for (let others = 0; others < 2; others += 1) await connect(server.url);
    expect(await runOps(asApp, "doctor")).toMatch(/ ([3-9]|\d\d) of \d+ connections are open/);
    expect(await run(asApp, "backup", "--to", join(await createFolder(), "nodebeat.dump"))).toBe(
      '1 "app" cannot read everything: set DATABASE_URL to the role that owns the tables.',
    );
    const why = ["--reason", "The disk fills"];
    expect(await run(asApp, "partition", ...why)).toMatch(
      /^1 The database does not let this role do that: must be owner of .+\. Give the command as the role that owns/,
    );
    const readOnly = { DATABASE_URL: `${server.url}&options=-c%20default_transaction_read_only%3Don` };
    expect(await run(readOnly, "partition", ...why)).toMatch(
      /^1 The database cannot do that now: cannot execute .+\. See/,
    );
    expect(await run(asApp, "migrate", "--check")).toMatch(/^0 The schema is up to date/);
    expect(await run(asApp, "show")).toMatch(/^0 PostgreSQL .+, as "app"\nThe schema is up to date/);
    const database = await openDatabase({ databaseUrl: asApp.DATABASE_URL, dataDir: "", log: SILENT });
    onTestFinished(() => database.close());
    const { user } = await seedMember(createTestApi(database).deps);
    expect(user.email).toContain("@");
  });

  test("checking a restored ledger may take longer than the statement timeout", async () => {
    expect(await run({ DATABASE_URL: server.url }, "migrate")).toMatch(/^0 /);
    const [holder, watcher] = [await connect(server.url), await connect(server.url)];
    await holder.query("begin; lock table points_ledger");
    const pool = new Pool({ connectionString: server.url, statement_timeout: 1_000 });
    onTestFinished(() => pool.end());
    const findLongWait = `select from pg_stat_activity
      where wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '1500 ms'`;
    async function letGo() {
      await expect.poll(async () => (await watcher.query(findLongWait)).rowCount).toBe(1);
      await holder.query("rollback");
    }
    const [examined] = await Promise.all([examine(drizzle(pool, { schema })), letGo()]);
    expect(examined).toMatchObject({ differences: [] });
  });

  test("a backup says what to install if pg_dump is missing", async () => {
    const folder = await createFolder();
    const file = join(folder, "nodebeat.dump");
    const settings = { DATABASE_URL: server.url, PATH: folder };
    expect(await run(settings, "backup", "--to", file)).toMatch(
      /^1 pg_dump is not installed here\. Install PostgreSQL's/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test("a backup says what to install if pg_dump is older than the server", async () => {
    const [folder, programs] = [await createFolder(), await createFolder()];
    await writeFile(join(programs, "pg_dump"), "#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n", { mode: 0o755 });
    const settings = { DATABASE_URL: server.url, PATH: programs };
    expect(await run(settings, "backup", "--to", join(folder, "nodebeat.dump"))).toMatch(
      /^1 pg_dump is version 9, but the server is version \d+.*\. Install PostgreSQL's/,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.skipIf(!existsSync(join(PROGRAMS, "pg_dump")))("with PostgreSQL's own programs, as packaged by Debian", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres({ programs: PROGRAMS });
  });
  afterAll(() => server.stop());

  test("a backup of a running server is restored completely into another database, and members can sign in", async () => {
    const file = join(await createFolder(), "nodebeat.dump");
    await runOn(server.url, "create database source");
    await runOn(server.url, "create database target");
    const [from, to] = ["source", "target"].map((name) => ({
      DATABASE_URL: inDatabase(server, name),
      PATH: `${PROGRAMS}:/usr/bin`,
    }));
    if (!from || !to) throw new Error("There are two");
    const database = await openDatabase({ databaseUrl: from.DATABASE_URL, dataDir: "", log: SILENT });
    onTestFinished(() => database.close());
    const { user } = await seedMember(createTestApi(database).deps, { email: "ada@nodebeat.test" });

    await database.db.update(schema.sessions).set({ readsFrom: "FF/0" });

    expect(await run(from, "backup", "--to", file)).toMatch(/^0 /);
    expect(await run(from, "restore", "--from", file, "--replace")).toMatch(/Servers are using this database/);
    expect(await run(to, "restore", "--from", file)).toMatch(/Restored 1 member and .+No difference/s);
    expect(await run(to, "restore", "--from", file)).toMatch(/^1 [^]*is not empty/);
    expect(await run(to, "restore", "--from", file, "--replace")).toMatch(
      /kept as public_until_\d+ and drizzle_until_\d+/,
    );

    const copy = await openDatabase({ databaseUrl: to.DATABASE_URL, dataDir: "", log: SILENT });
    onTestFinished(() => copy.close());
    expect(await copy.db.select({ from: schema.sessions.readsFrom }).from(schema.sessions)).toEqual([{ from: null }]);
    const known = await copy.pool.query("select from pg_stats where schemaname = 'public' and tablename = 'users'");
    expect(known.rowCount).toBeGreaterThan(0);
    const api = createTestApi(copy);
    const { turnstileToken } = await api.read(issueBotCheck);
    await expect
      .poll(
        async () =>
          (await api.call(login, { body: { email: user.email, password: TEST_PASSWORD, turnstileToken } })).status,
      )
      .toBe(200);
  });

  test("a restore that is interrupted before it begins leaves the database unchanged", async () => {
    const file = join(await createFolder(), "nodebeat.dump");
    await runOn(server.url, "create database held");
    const settings = { DATABASE_URL: inDatabase(server, "held"), PATH: `${PROGRAMS}:/usr/bin` };
    expect(await run(settings, "migrate")).toMatch(/^0 /);
    expect(await run(settings, "backup", "--to", file)).toMatch(/^0 /);
    const holder = await connect(settings.DATABASE_URL);
    await holder.query("begin");
    await holder.query("alter schema public rename to held");

    const command = ["server/ops/ops.command.ts", "database", "restore", "--from", file, "--replace"];
    const env = { ...BARE_ENV, ...settings };
    const child = spawn(process.execPath, command, { env, stdio: ["ignore", "ignore", "pipe"] });
    const said = text(child.stderr);
    await expect.poll(async () => (await holder.query("select from pg_locks where not granted")).rowCount).toBe(1);
    child.kill("SIGINT");
    await holder.query("rollback");
    expect(await once(child, "close")).toEqual([1, null]);
    // The second message comes only if this machine took seconds to release the lock.
    expect(await said).toMatch(/Interrupted before anything was restored|Another connection is changing/);
    expect(await run(settings, "migrate", "--check")).toMatch(/^0 The schema is up to date/);
  });

  test("a restore that waits too long for another transaction says to end it first", async () => {
    const file = join(await createFolder(), "nodebeat.dump");
    await runOn(server.url, "create database busy");
    const settings = { DATABASE_URL: inDatabase(server, "busy"), PATH: `${PROGRAMS}:/usr/bin` };
    expect(await run(settings, "migrate")).toMatch(/^0 /);
    expect(await run(settings, "backup", "--to", file)).toMatch(/^0 /);
    const holder = await connect(settings.DATABASE_URL);
    await holder.query("begin");
    await holder.query("alter schema public rename to busy");
    expect(await run(settings, "restore", "--from", file, "--replace")).toMatch(/^1 [^]*does not end\. End it first/);
    await holder.query("rollback");
    expect(await run(settings, "migrate", "--check")).toMatch(/^0 The schema is up to date/);
  });

  /** Begins a restore that replaces a new database. It takes as long as that of the largest backup. */
  async function beginRestore(name: string) {
    const folder = await createFolder();
    const [file, begun] = [join(folder, "nodebeat.dump"), join(folder, "begun")];
    await runOn(server.url, `create database ${name}`);
    const settings = { DATABASE_URL: inDatabase(server, name), PATH: `${PROGRAMS}:/usr/bin` };
    expect(await run(settings, "migrate")).toMatch(/^0 /);
    expect(await run(settings, "backup", "--to", file)).toMatch(/^0 /);
    // Writes its process id once it has begun.
    const slow = `#!/bin/sh\n[ "$1" = --version ] && exec ${PROGRAMS}/pg_restore --version\necho $$ > ${begun}\nexec sleep 600\n`;
    await writeFile(join(folder, "pg_restore"), slow, { mode: 0o755 });

    const command = ["server/ops/ops.command.ts", "database", "restore", "--from", file, "--replace"];
    const env = { ...BARE_ENV, ...settings, PATH: `${folder}:/usr/bin:/bin` };
    const child = spawn(process.execPath, command, { env, stdio: ["ignore", "ignore", "pipe"] });
    const said = text(child.stderr);
    const readNumber = async () => Number(existsSync(begun) && (await readFile(begun, "utf8")));
    await expect.poll(readNumber).toBeGreaterThan(0);
    return { child, file, program: await readNumber(), said, settings };
  }

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "a restore that %s interrupts leaves the database unchanged",
    async (how) => {
      const { child, said, settings } = await beginRestore(`interrupted_${how.toLowerCase()}`);
      child.kill(how);
      expect(await once(child, "close")).toEqual([1, null]);
      expect(await said).toContain("pg_restore failed: it ended with SIGTERM");
      expect(await run(settings, "migrate", "--check")).toMatch(/^0 The schema is up to date/);
    },
  );

  test("after a killed restore, migrate creates no tables, and the next restore names the kept schemas", async () => {
    const { child, file, program, settings } = await beginRestore("killed");
    child.kill("SIGKILL");
    await once(child, "exit");
    process.kill(program);
    for (const verb of ["migrate", "show"])
      expect(await run(settings, verb)).toMatch(/^1 The .+ has put them aside, as public_until_\d+ and drizzle/);
    expect(await run(settings, "restore", "--from", file)).toMatch(/^0 [^]*kept as public_until_\d+ and drizzle/);
    expect(await run(settings, "migrate", "--check")).toMatch(/^0 The schema is up to date/);
  });

  test("a restore to a database that was emptied by hand neither brings back nor names what an earlier one kept", async () => {
    const folder = await createFolder();
    const file = join(folder, "nodebeat.dump");
    await runOn(server.url, "create database emptied");
    const settings = { DATABASE_URL: inDatabase(server, "emptied"), PATH: `${PROGRAMS}:/usr/bin` };
    expect(await run(settings, "migrate")).toMatch(/^0 /);
    expect(await run(settings, "backup", "--to", file)).toMatch(/^0 /);
    expect(await run(settings, "restore", "--from", file, "--replace")).toMatch(/^0 [^]*kept as public_until_\d+/);
    await runOn(settings.DATABASE_URL, "drop schema public cascade; drop schema drizzle cascade; create schema public");

    const failing = `#!/bin/sh\n[ "$1" = --version ] && exec ${PROGRAMS}/pg_restore --version\nexit 1\n`;
    await writeFile(join(folder, "pg_restore"), failing, { mode: 0o755 });
    const PATH = `${folder}:/usr/bin:/bin`;
    expect(await run({ ...settings, PATH }, "restore", "--from", file)).toMatch(/^1 [^]*pg_restore failed/);
    expect(await run(settings, "show")).toMatch(/^1 The .+ has no tables of Nodebeat/);
    expect(await run(settings, "restore", "--from", file)).not.toContain("kept");
    expect(await run(settings, "migrate", "--check")).toMatch(/^0 The schema is up to date/);
  });
});
