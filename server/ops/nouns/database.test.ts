import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createTestApi, createTestDeps, seedMember, SILENT, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { BARE_ENV } from "../../../tests/support/servers/bare-env.ts";
import { createDataFolder } from "../../../tests/support/database/empty-database.ts";
import { issueBotCheck, login } from "../../auth/contract.ts";
import { openDatabase } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import { postPoints } from "../../points/service.ts";
import { pointsLedger } from "../../db/schema.ts";
import { packFiles } from "../backup/pack.ts";
import { writeBackup } from "../backup/write.ts";
import { runCommand } from "../command.ts";
import { listenForOperations } from "../control-server.ts";

async function run(settings: Record<string, string>, ...args: string[]) {
  const said: string[] = [];
  const told: string[] = [];
  const terminal = { out: (text: string) => void said.push(text), err: (text: string) => void told.push(text) };
  return {
    status: await runCommand(["database", ...args], settings, terminal),
    said: said.join("\n"),
    told: told.join("\n"),
  };
}

async function createFolder(made: Promise<string> = mkdtemp(join(tmpdir(), "nodebeat-backup-"))) {
  const folder = await made;
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function startOn(dataDir: string) {
  const database = await openDatabase({ dataDir, log: SILENT });
  const api = createTestApi(database);
  const stop = await listenForOperations({ ...api.deps, readBackup: database.readBackup }, dataDir);
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= stop().then(() => database.close()));
  onTestFinished(close);
  return { database, ...api, close };
}

/** Posts points, one row at a time, until stopped. `posted.count` says how many so far. */
function postOn({ deps }: Pick<Awaited<ReturnType<typeof startOn>>, "deps">, userId: string) {
  const posted = { count: 0 };
  const end = new AbortController();
  const done = (async () => {
    while (!end.signal.aborted) {
      const rule = { source: "test", rule: "test", version: 1, category: "Others" } as const;
      const entry = { userId, rule, sourceId: crypto.randomUUID(), points: 1, comment: "Load", occurredAt: new Date() };
      await inTransaction(deps.db, (tx) => postPoints(tx, [entry]));
      posted.count += 1;
    }
  })();
  return {
    posted,
    async stop() {
      end.abort();
      await done;
    },
  };
}

test("a backup taken under load is restored completely: the ledger agrees, and members can sign in", async () => {
  const dataDir = await createFolder(createDataFolder());
  const folder = await createFolder();
  const server = await startOn(dataDir);
  const { user } = await seedMember(server.deps, { email: "ada@nodebeat.test" });
  const load = postOn(server, user.id);
  await expect.poll(() => load.posted.count).toBeGreaterThan(20);
  const before = load.posted.count;
  const file = join(folder, "nodebeat.tar.gz");
  const made = await run({ DATA_DIR: dataDir }, "backup", "--to", file);
  const after = load.posted.count;
  await load.stop();
  expect(made).toMatchObject({ status: 0, said: expect.stringContaining("SESSION_SECRET") });
  expect(made.told).toContain("Written");
  expect(after).toBeGreaterThan(before);
  expect((await readdir(folder)).sort()).toEqual(["nodebeat.tar.gz", "nodebeat.tar.gz.manifest.json"]);
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  // The server's upkeep goes on, and the next backup works.
  await server.database.pool.query("checkpoint");
  expect(await run({ DATA_DIR: dataDir }, "backup", "--to", file)).toMatchObject({
    status: 1,
    told: expect.stringContaining("nothing is overwritten"),
  });
  expect(await run({ DATA_DIR: dataDir }, "backup", "--to", join(folder, "next"))).toMatchObject({ status: 0 });
  expect(await run({ DATA_DIR: dataDir }, "restore", "--from", file, "--replace")).toMatchObject({
    status: 1,
    told: expect.stringContaining("Another process is using the database"),
  });
  await server.close();

  const elsewhere = await createFolder();
  const restored = await run({ DATA_DIR: elsewhere }, "restore", "--from", file);
  expect(restored.told).not.toContain("rror");
  expect(restored).toMatchObject({ status: 0, said: expect.stringContaining("No difference") });
  const copy = await startOn(elsewhere);
  const entries = await copy.deps.db.$count(pointsLedger);
  expect(entries).toBeGreaterThanOrEqual(before);
  expect(entries).toBeLessThanOrEqual(after + 1);
  const { turnstileToken } = await copy.read(issueBotCheck);
  await expect
    .poll(
      async () =>
        (await copy.call(login, { body: { email: user.email, password: TEST_PASSWORD, turnstileToken } })).status,
    )
    .toBe(200);
});

test("a restore refuses a backup that is incomplete, changed or without a manifest, and keeps the database", async () => {
  const dataDir = await createFolder(createDataFolder());
  const folder = await createFolder();
  const opened = await openDatabase({ dataDir, log: SILENT });
  const { user } = await seedMember(createTestDeps(opened));
  await opened.pool.query("insert into points_totals (user_id, others) values ($1, 12)", [user.id]);
  await opened.close();
  const file = join(folder, "good");
  // npm sets these to say which folder the operator is in.
  const stands = { INIT_CWD: folder, npm_lifecycle_event: "ops" };
  expect(await run({ DATA_DIR: dataDir, ...stands }, "backup", "--to", "good")).toMatchObject({ status: 0 });
  const elsewhere = await createFolder();
  const restore = (from: string, ...more: string[]) =>
    run({ DATA_DIR: elsewhere, ...stands }, "restore", "--from", from, ...more);
  async function copy(name: string) {
    await cp(file, join(folder, name));
    await cp(`${file}.manifest.json`, join(folder, `${name}.manifest.json`));
    return join(folder, name);
  }

  const cut = await copy("cut");
  await truncate(cut, 100_000);
  expect(await restore(cut)).toMatchObject({ status: 1, told: expect.stringContaining("is incomplete") });
  const changed = await copy("changed");
  const bytes = await readFile(changed);
  bytes[5000] = (bytes[5000] ?? 0) ^ 1;
  await writeFile(changed, bytes);
  expect(await restore(changed)).toMatchObject({ status: 1, told: expect.stringContaining("is damaged") });
  await rm(`${cut}.manifest.json`);
  expect(await restore(cut)).toMatchObject({
    status: 1,
    told: expect.stringContaining("is missing or is not a manifest"),
  });
  const later = await copy("later");
  const manifest = await readFile(`${later}.manifest.json`, "utf8");
  await writeFile(`${later}.manifest.json`, manifest.replace(/"reachedAt": \d+/, '"reachedAt": 9999999999999'));
  expect(await restore(later)).toMatchObject({ status: 1, told: expect.stringContaining("a later version") });
  const outside = join(folder, "outside");
  const files = (async function* () {
    yield { name: "../outside", size: 1, content: [Buffer.from("x")] };
  })();
  const about = { engine: "embedded", version: "18", schema: { reached: null, reachedAt: 0 } } as const;
  await writeBackup(outside, packFiles(files), about, { report: () => {}, compresses: true });
  expect(await restore(outside)).toMatchObject({ status: 1, told: expect.stringContaining("outside its folder") });
  expect(existsSync(join(elsewhere, "db", "postgres"))).toBe(false);

  await cp(dataDir, elsewhere, { recursive: true });
  expect(await restore("good")).toMatchObject({ status: 1, told: expect.stringContaining("There is a database") });
  // The restore is done, but its sums do not add up.
  const said = expect.stringMatching(/is kept as .*\n.*\npoints_totals of .* should be 0\n1 sum differs: /);
  expect(await restore("good", "--replace")).toMatchObject({ status: 1, said });
  expect((await readdir(join(elsewhere, "db"))).filter((name) => name.startsWith("postgres"))).toHaveLength(2);

  // As if killed after the rename, before anything took the database's place.
  await rm(join(elsewhere, "db", "postgres"), { recursive: true });
  await mkdir(join(elsewhere, "db", "restore"));
  const aside = expect.stringContaining(`has put it aside, as ${join(elsewhere, "db", "postgres-until-")}`);
  for (const verb of ["migrate", "show"])
    expect(await run({ DATA_DIR: elsewhere }, verb)).toMatchObject({ status: 1, told: aside });
  expect(await restore(file)).toMatchObject({ status: 1, said });
  // As if killed before the rename.
  await mkdir(join(elsewhere, "db", "restore"));
  expect(await run({ DATA_DIR: elsewhere }, "show")).toMatchObject({ status: 0 });
  expect(await readdir(join(elsewhere, "db"))).not.toContain("restore");
});

const COMMAND = fileURLToPath(new URL("../ops.command.ts", import.meta.url));

/** Starts the command in a separate process, on a folder. */
const start = (dataDir: string, ...args: string[]) =>
  spawn(process.execPath, [COMMAND, "database", ...args], {
    env: { ...BARE_ENV, DATA_DIR: dataDir },
    // Without the settings that a developer may have in .env.
    cwd: dataDir,
    stdio: ["ignore", "ignore", "pipe"],
  });

/** A backup that never ends, and one that breaks off. */
async function* readOn() {
  yield { name: "PG_VERSION", size: 100_000, content: [Buffer.alloc(100_000)] };
  await new Promise(() => {});
}
async function* breakOff() {
  yield { name: "PG_VERSION", size: 3, content: [Buffer.from("18\n")] };
  throw new Error("The disk cannot be read");
}

test("a killed or interrupted backup cannot be restored, and the server goes on to serve the next one", async () => {
  const dataDir = await createFolder();
  const folder = await createFolder();
  const server = await startOn(await createFolder(createDataFolder()));
  const deps = createTestDeps(server.database);
  const stop = await listenForOperations({ ...deps, readBackup: readOn }, dataDir);
  const file = join(folder, "killed");
  const child = start(dataDir, "backup", "--to", file);
  await once(child.stderr, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  const [left = "", ...others] = await readdir(folder);
  expect([left, others]).toEqual([expect.stringMatching(/^killed\..+\.part$/), []]);
  expect(await run({ DATA_DIR: dataDir }, "restore", "--from", join(folder, left))).toMatchObject({ status: 1 });
  // On SIGTERM it removes what it has begun.
  const asked = start(dataDir, "backup", "--to", join(folder, "interrupted"));
  await once(asked.stderr, "data");
  asked.kill("SIGTERM");
  expect(await once(asked, "exit")).toEqual([null, "SIGTERM"]);
  expect(await readdir(folder)).toEqual([left]);
  // If nothing can be written it says so, and does not wait until the server loses patience.
  const nowhere = start(dataDir, "backup", "--to", join(folder, "long".repeat(60)));
  expect(String(await once(nowhere.stderr, "data"))).toContain("ENAMETOOLONG");
  await stop();

  onTestFinished(await listenForOperations({ ...deps, readBackup: breakOff }, dataDir));
  expect(await run({ DATA_DIR: dataDir }, "backup", "--to", file)).toMatchObject({
    status: 1,
    told: expect.stringContaining("stopped the backup"),
  });
  expect(await readdir(folder)).toEqual([]);
});

/** Makes it look as if the last migration had not run yet. */
const LACK_THE_LAST = `update drizzle.__drizzle_migrations set created_at = created_at - 1
  where id = (select max(id) from drizzle.__drizzle_migrations)`;

test("migrate brings the schema up to date, and --check lists the migrations without running them", async () => {
  const dataDir = await createFolder();
  const check = await run({ DATA_DIR: dataDir }, "migrate", "--check");
  expect(check).toMatchObject({ status: 1, said: expect.stringMatching(/^Migrations to run: 0000_ground, .+\.$/) });
  // Checking creates nothing.
  expect(await readdir(dataDir)).toEqual([]);
  expect(await run({ DATA_DIR: dataDir }, "migrate")).toMatchObject({
    status: 0,
    said: expect.stringContaining("0000_ground  done"),
  });
  expect(await run({ DATA_DIR: dataDir }, "migrate", "--check")).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^The schema is up to date: \d{4}_\w+\.$/),
  });
  expect(await run({ DATA_DIR: dataDir }, "migrate", "--grant-to", "app")).toMatchObject({ status: 1 });

  // Make the schema that of the previous version.
  const database = await openDatabase({ dataDir, log: SILENT });
  await database.pool.query(LACK_THE_LAST);
  await database.close();
  expect(await run({ DATA_DIR: dataDir }, "show")).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^PostgreSQL [^]+\nMigrations to run: \d{4}_\w+\.$/),
  });
});

test("lists this version's migrations even if a server of the previous version runs", async () => {
  const dataDir = await createFolder();
  const schema = { reached: "0000_ground", reachedAt: 1, missing: [], isLater: false };
  const counted = { bytes: 1, connections: 1, mostConnections: 1, time: 0, clockAhead: 0, clockError: 0 };
  const described = { version: "18.0", role: "postgres", encoding: "UTF8", isReadOnly: false, withoutRights: [] };
  const former = createServer((_, response) =>
    response.end(JSON.stringify({ result: { ...described, ...counted, schema } })),
  );
  await mkdir(join(dataDir, "control"));
  await once(former.listen(join(dataDir, "control", "ops.sock")), "listening");
  onTestFinished(() => void former.close());
  const said = expect.stringContaining("Migrations to run: 0000_ground, ");
  expect(await run({ DATA_DIR: dataDir }, "show")).toMatchObject({ status: 0, said });
  for (const args of [["migrate", "--check"], ["migrate"]])
    expect(await run({ DATA_DIR: dataDir }, ...args)).toMatchObject({ status: 1, said });
});
