import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SILENT } from "../../../tests/support/api/api.ts";
import { startPostgres, type TestPostgres } from "../../../tests/support/database/postgres.ts";
import { runOn } from "../../../tests/support/database/test-database.ts";
import { openDatabase } from "../../db/client.ts";
import { runCommand } from "../command.ts";
import { manifestOf } from "./manifest.ts";

/** Where Debian has PostgreSQL's programs. The packages of the tests do not include those that copy a database. */
const PROGRAMS = "/usr/lib/postgresql/15/bin";

async function run(settings: Record<string, string>, ...args: string[]) {
  const said: string[] = [];
  const note = (text: string) => void said.push(text);
  return `${await runCommand(["database", ...args], settings, { out: note, err: note })} ${said.join("\n")}`;
}

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const addWhatIsOthers = (url: string) =>
  runOn(url, "create extension pg_stat_statements; create schema other; create table other.secrets (id integer)");

/** Creates a folder with programs that claim another version. Only their versions are ever asked for. */
async function createPrograms(version: string) {
  const folder = await createFolder();
  for (const tool of ["pg_dump", "pg_restore"])
    await writeFile(join(folder, tool), `#!/bin/sh\necho '${tool} (PostgreSQL) ${version}'\n`, { mode: 0o755 });
  return `${folder}:/usr/bin:/bin`;
}

describe.skipIf(!existsSync(join(PROGRAMS, "pg_dump")))("with PostgreSQL's own programs, as packaged by Debian", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres({ programs: PROGRAMS });
    await runOn(server.url, "create role app login");
  });
  afterAll(() => server.stop());

  /** Creates a database of the role `app`. Returns the settings of this role and those of the superuser. */
  async function createDatabase(name: string) {
    await runOn(server.url, `create database ${name} owner app`);
    const url = new URL(server.url);
    url.pathname = name;
    const asSuperuser = url.href;
    url.username = "app";
    return { settings: { DATABASE_URL: url.href, PATH: `${PROGRAMS}:/usr/bin` }, asSuperuser };
  }

  test("what others keep in the database is in no backup, so its owner can restore it without their rights", async () => {
    const file = join(await createFolder(), "nodebeat.dump");
    const [from, to] = [await createDatabase("shared"), await createDatabase("alone")];
    expect(await run(from.settings, "migrate")).toMatch(/^0 /);
    await addWhatIsOthers(from.asSuperuser);

    expect(await run(from.settings, "backup", "--to", file)).toMatch(/^0 /);
    expect(await run(to.settings, "restore", "--from", file)).toMatch(/^0 [^]*Restored 0 members/);
    expect(await run(to.settings, "migrate", "--check")).toMatch(/^0 The schema is up to date/);
    expect(await run(from.settings, "restore", "--from", file, "--replace")).toMatch(/^0 [^]*kept as public_until_\d+/);
  });

  test("a backup of an earlier version, which holds what others kept in the database, is restored without that", async () => {
    const folder = await createFolder();
    const file = join(folder, "nodebeat.dump");
    const [from, to] = [await createDatabase("complete"), await createDatabase("ours")];
    expect(await run(from.settings, "migrate")).toMatch(/^0 /);
    await addWhatIsOthers(from.asSuperuser);
    const earlier = `#!/bin/sh\n[ "$1" = --version ] && exec ${PROGRAMS}/pg_dump --version\nexec ${PROGRAMS}/pg_dump -Fc\n`;
    await writeFile(join(folder, "pg_dump"), earlier, { mode: 0o755 });
    const asSuperuser = { DATABASE_URL: from.asSuperuser, PATH: `${folder}:/usr/bin:/bin` };
    expect(await run(asSuperuser, "backup", "--to", file)).toMatch(/^0 /);

    expect(await run(to.settings, "restore", "--from", file)).toMatch(/^0 [^]*Restored 0 members/);
    const client = new Client(to.asSuperuser);
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query(
      "select to_regnamespace('other') as other, count(*)::integer from pg_extension",
    );
    expect(rows).toEqual([{ other: null, count: 1 }]);
  });

  test("a database with only an extension is empty, and a restore says how to keep extensions of the former schema", async () => {
    const file = join(await createFolder(), "nodebeat.dump");
    const [from, to] = [await createDatabase("plain"), await createDatabase("extended")];
    expect(await run(from.settings, "migrate")).toMatch(/^0 /);
    expect(await run(from.settings, "backup", "--to", file)).toMatch(/^0 /);
    await runOn(to.asSuperuser, `create extension pg_stat_statements; create extension "uuid-ossp"`);

    const restored = await run(to.settings, "restore", "--from", file);
    expect(restored).toMatch(/^0 [^]*Restored 0 members/);
    expect(restored).not.toContain("extension");
    const replaced = await run(to.settings, "restore", "--from", file, "--replace");
    expect(replaced).toMatch(/^0 [^]*kept as public_until_\d+/);
    const moves = [...replaced.matchAll(/`(alter extension [^`]+)`/g)].map(([, move]) => move);
    expect(moves).toEqual([
      "alter extension pg_stat_statements set schema public",
      'alter extension "uuid-ossp" set schema public',
    ]);
    const kept = /public_until_\d+/.exec(replaced)?.[0];
    await runOn(to.asSuperuser, [...moves, `drop schema ${kept} cascade`].join("; "));
    const client = new Client(to.asSuperuser);
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query("select extname from pg_extension order by extname");
    expect(rows.map(({ extname }) => extname)).toEqual(["pg_stat_statements", "plpgsql", "uuid-ossp"]);
  });

  test("neither makes nor restores a backup with programs whose SQL the server would refuse", async () => {
    const folder = await createFolder();
    const [file, refused] = [join(folder, "nodebeat.dump"), join(folder, "refused.dump")];
    const [from, to] = [await createDatabase("older"), await createDatabase("empty")];
    expect(await run(from.settings, "migrate")).toMatch(/^0 /);
    expect(await run(from.settings, "backup", "--to", file)).toMatch(/^0 /);

    const PATH = await createPrograms("17.2");
    expect(await run({ ...from.settings, PATH }, "backup", "--to", refused)).toMatch(
      /^1 pg_dump is version 17, .+ of version 15\S* refuses .+\. Install PostgreSQL's client programs of version 15 \(/,
    );
    expect(await run({ ...to.settings, PATH }, "restore", "--from", file)).toMatch(
      /^1 [^]*pg_restore is version 17, .+ of version 15\S* refuses .+\. Install PostgreSQL's client programs of version 15 \(/,
    );
    const manifest = JSON.parse(await readFile(manifestOf(file), "utf8")) as object;
    await writeFile(manifestOf(file), JSON.stringify({ ...manifest, version: "17.2" }));
    expect(await run({ ...to.settings, PATH }, "restore", "--from", file)).toMatch(
      /^1 [^]*This backup is of a server of version 17\.2: restore it to one of version 17 or newer\.$/,
    );
  });

  test("a restore finds the servers that use the database, even if DATABASE_URL names their connections", async () => {
    const file = join(await createFolder(), "nodebeat.dump");
    const { settings } = await createDatabase("named");
    expect(await run(settings, "migrate")).toMatch(/^0 /);
    expect(await run(settings, "backup", "--to", file)).toMatch(/^0 /);
    const databaseUrl = `${settings.DATABASE_URL}&application_name=eu-1`;
    const database = await openDatabase({ databaseUrl, dataDir: "", log: SILENT });
    onTestFinished(() => database.close());
    const { rows } = await database.pool.query("select current_setting('application_name') as name");
    expect(rows).toEqual([{ name: "nodebeat eu-1" }]);
    expect(await run(settings, "restore", "--from", file, "--replace")).toMatch(
      /^1 [^]*Servers are using this database/,
    );
  });
});
