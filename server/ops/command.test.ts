import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { readAudit } from "../../tests/support/api/administration.ts";
import { createTestDeps, seedMember, SILENT } from "../../tests/support/api/api.ts";
import { createDataFolder } from "../../tests/support/database/empty-database.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { startPostgres } from "../../tests/support/database/postgres.ts";
import { openDatabase, type Database } from "../db/client.ts";
import { runCommand } from "./command.ts";
import { listenForOperations } from "./control-server.ts";

/** Runs `npm run ops -- …` with these settings and no others. */
async function run(settings: Record<string, string>, ...args: string[]) {
  const said = { stdout: "", stderr: "" };
  const terminal = {
    out: (text: string) => void (said.stdout += `${text}\n`),
    err: (text: string) => void (said.stderr += `${text}\n`),
  };
  return { status: await runCommand(args, settings, terminal), ...said };
}

const why = ["--reason", "Agreed with the team"];

async function createFolder() {
  const folder = await createDataFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const open = (dataDir: string) => openDatabase({ dataDir, log: SILENT });

/** Opens the database of a folder and listens for operations, as a server does. */
async function startOn(dataDir: string) {
  const database = await open(dataDir);
  const deps = createTestDeps(database);
  const stop = await listenForOperations(deps, dataDir);
  async function close() {
    await stop();
    await database.close();
  }
  return { database, deps, close };
}

const memory = await createTestDatabase();
beforeEach(() => memory.reset());
afterAll(() => memory.close());

/** Does the same with a database that takes no time to open. */
async function startInMemory() {
  const dataDir = await mkdtemp(join(tmpdir(), "nodebeat-ops-"));
  const deps = createTestDeps(memory);
  const stop = await listenForOperations(deps, dataDir);
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true });
  });
  return { dataDir, deps };
}

test("commands fail and create nothing if there is no database", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-ops-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const refused = {
    status: 1,
    stdout: "",
    stderr: `There is no database in ${join(folder, "db")}. Set DATA_DIR to the folder of your Nodebeat, or start it once.\n`,
  };
  for (const args of [
    ["ledger", "check"],
    ["sessions", "end-all", ...why],
    ["database", "backup", "--to", join(folder, "backup")],
  ])
    expect(await run({ DATA_DIR: folder }, ...args)).toEqual(refused);
  expect(await readdir(folder)).toEqual([]);
});

test("explains that the data folder is a file or cannot be created, and changes nothing", async () => {
  const file = join(await createFolder(), "file");
  await writeFile(file, "");
  expect(await run({ DATA_DIR: file }, "database", "restore", "--from", "backup")).toEqual({
    status: 1,
    stdout: "",
    stderr: `A file cannot be read or written: ENOTDIR: not a directory, mkdir '${join(file, "db")}'.\n`,
  });
  const nowhere = await run({ DATA_DIR: "/proc/nodebeat" }, "database", "migrate");
  expect(nowhere).toMatchObject({ status: 1, stderr: expect.stringContaining("Set DATA_DIR to one that can.") });
  const examined = await run({ DATA_DIR: file }, "doctor");
  expect(examined).toMatchObject({ status: 1, stdout: expect.stringContaining(`disk: ${file} cannot be written to.`) });
});

/** Does everything that an operator does on their first day, wherever the database is. */
async function administer(settings: Record<string, string>, { db }: Pick<Database, "db">) {
  const { user } = await seedMember(createTestDeps({ db }), { email: "ada@example.com" });
  const ops = (...args: string[]) => run(settings, ...args);
  const said = async (...args: string[]) => {
    const { status, stderr, stdout } = await ops(...args);
    expect(stderr).toBe("");
    return `${status} ${stdout.trim()}`;
  };

  const added = await said("administrators", "add", "ada@example.com", ...why);
  expect(added).toBe("0 ada@example.com is now an administrator.");
  expect(await said("whitelist", "set", "ada@example.com", "b@example.com", ...why)).toBe(
    "1 ada@example.com  done\nb@example.com  no member has this address",
  );
  expect(JSON.parse((await ops("whitelist", "check", user.id, "--json")).stdout)).toMatchObject({
    email: "ada@example.com",
    isWhitelisted: true,
    by: { kind: "operator" },
  });
  const survey = ["survey", "--name", "Survey", "--form-url", "https://forms.example", "--task-number", "1"];
  expect(await said("campaigns", "create", ...survey, "--bonus-points", "250.5", ...why)).toBe(
    "0 survey  running  Survey  250.5 points",
  );
  expect(await said("campaigns", "complete", "survey", "ada@example.com", ...why)).toBe("0 ada@example.com  Recorded.");
  return { user, entries: await readAudit(db) };
}

const entriesAbout = ({ id }: { id: string }) => [
  { action: "administrator.added", subjectId: id },
  { action: "whitelist.set", actor: "operator", reason: "Agreed with the team" },
  { action: "campaign.created" },
  { action: "completion.recorded", subjectId: id },
];

test("a running server with the embedded database runs the operator's commands, for its own user only", async () => {
  const dataDir = await createFolder();
  const server = await startOn(dataDir);
  onTestFinished(server.close);
  const { entries, user } = await administer({ DATA_DIR: dataDir }, server.database);
  expect(entries).toMatchObject(entriesAbout(user));

  const control = join(dataDir, "control");
  const modes = await Promise.all(
    [control, join(control, "ops.sock")].map(async (path) => (await stat(path)).mode & 0o777),
  );
  expect(modes).toEqual([0o700, 0o600]);
  expect(await run({ DATA_DIR: dataDir }, "campaigns", "end", "nothing", ...why)).toEqual({
    status: 1,
    stdout: "",
    stderr: "There is no such campaign.\n",
  });
});

test("with PostgreSQL the command works on the database directly", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: "", log: SILENT });
  const { entries, user } = await administer({ DATABASE_URL: postgres.url }, database);
  await database.close();
  expect(entries).toMatchObject(entriesAbout(user));
});

test("the command opens the embedded database itself if no server runs or one has died", async () => {
  const dataDir = await createFolder();
  const server = await startOn(dataDir);
  await server.close();
  const list = () => run({ DATA_DIR: dataDir }, "campaigns", "list", "--json");
  expect(await list()).toEqual({ status: 0, stdout: "[]\n", stderr: "" });
  // No secret is created: no server could open what it sealed.
  expect(await run({ DATA_DIR: dataDir }, "secrets", "status")).toEqual({
    status: 1,
    stdout: "",
    stderr: `There is no secret in ${join(dataDir, "session-secret")}. Set SESSION_SECRET, or DATA_DIR, as the server has it.\n`,
  });
  expect(await readdir(dataDir)).not.toContain("session-secret");
  // The settings of production. The command needs no others.
  const production = { DATA_DIR: dataDir, NODE_ENV: "production" };
  expect(await run(production, "campaigns", "list")).toMatchObject({ status: 0, stderr: "" });

  const control = join(dataDir, "control");
  await mkdir(control);
  const listen = `require("net").createServer().listen(${JSON.stringify(join(control, "ops.sock"))}, () => console.log())`;
  const dead = spawn(process.execPath, ["-e", listen]);
  await once(dead.stdout, "data");
  dead.kill("SIGKILL");
  await once(dead, "exit");
  expect(await list()).toEqual({ status: 0, stdout: "[]\n", stderr: "" });

  // Another process has the database open, and takes no operations.
  const database = await open(dataDir);
  onTestFinished(() => database.close());
  expect(await list()).toMatchObject({ status: 1, stdout: expect.stringContaining("still starting"), stderr: "" });
});

test("with --json, an unexpected error is JSON, too", async () => {
  const dataDir = await createFolder();
  const database = await open(dataDir);
  await database.pool.query("drop table ledger_days");
  await database.close();
  const { status, stderr, stdout } = await run({ DATA_DIR: dataDir }, "ledger", "check", "--json");
  expect([status, JSON.parse(stdout)]).toMatchObject([1, { error: "INTERNAL_ERROR" }]);
  expect(stderr).toContain('"ledger_days" does not exist');
});

test("in a folder whose path is too long for a socket, a link leads the command to the socket", async () => {
  const short = await startInMemory();
  const dataDir = join(short.dataDir, "long".repeat(25));
  await mkdir(dataDir);
  onTestFinished(await listenForOperations(short.deps, dataDir));
  expect((await readlink(join(dataDir, "control"))).length).toBeLessThan(90);
  expect(await run({ DATA_DIR: dataDir }, "administrators", "list")).toMatchObject({
    status: 0,
    stdout: "There are no administrators.\n",
  });
});

test("imports completions line by line and says why a line is refused", async () => {
  const { dataDir, deps } = await startInMemory();
  // npm sets these to say which folder the operator is in.
  const stands = { INIT_CWD: dataDir, npm_lifecycle_event: "ops" };
  const ops = (...args: string[]) => run({ DATA_DIR: dataDir, ...stands }, ...args);
  await seedMember(deps, { email: "ada@example.com" });
  const survey = ["survey", "--name", "Survey", "--form-url", "https://forms.example", "--task-number", "1"];
  await ops("campaigns", "create", ...survey, "--bonus-points", "10", ...why);
  await writeFile(join(dataDir, "done.csv"), "member,campaignId\nada@example.com,survey\nnobody@example.com,survey\n");

  expect(await ops("campaigns", "import", "done.csv", ...why)).toEqual({
    status: 1,
    stdout: "line 3  No member has this address or id.\n1 recorded, 0 already recorded, 1 refused.\n",
    stderr: "",
  });
  expect(await ops("campaigns", "import", join(dataDir, "none.csv"), ...why)).toMatchObject({ status: 2 });
  const change = ["--name", "Long survey", "--mandatory", "--starts-at", "2030-01-01T00:00:00Z"];
  expect((await ops("campaigns", "change", "survey", ...change, ...why)).stdout).toBe(
    "survey  scheduled  Long survey  10 points  from 2030-01-01T00:00:00.000Z\n",
  );
  const back = await ops("campaigns", "change", "survey", "--no-mandatory", "--starts-at", "none", ...why, "--json");
  expect(JSON.parse(back.stdout)).toMatchObject({ mandatory: false, startsAt: null, state: "running" });
  const members = ["ada@example.com", "nobody@example.com"];
  expect(await ops("campaigns", "complete", "survey", ...members, ...why)).toMatchObject({
    status: 1,
    stdout: "ada@example.com  This was recorded before.\nnobody@example.com  No member has this address or id.\n",
  });
  expect((await ops("campaigns", "end", "survey", ...why)).stdout).toMatch(/^survey {2}ended .* until \S+\n$/);
  expect((await ops("campaigns", "list")).stdout).toMatch(/^survey {2}ended .*\n1 in all\.\n$/);
});

test.each([
  [[], "Say what to do."],
  [["people", "list"], 'There is no "people" here.'],
  [["whitelist", "empty"], 'There is no "whitelist empty".'],
  [["whitelist", "set", "a@example.com"], "Give a reason, with --reason <why>."],
  [["whitelist", "set", ...why], "<emails…> is missing."],
  [["whitelist", "check", "a@example.com", "b@example.com"], "Too many arguments: b@example.com"],
  [["secrets", "rotate", ...why], "This takes no reason: leave out --reason."],
  [["campaigns", "end", "x", "--nmae", "y", ...why], "Unknown option '--nmae'"],
  [["campaigns", "change", "x", "--bonus-points", "many", ...why], "--bonus-points: This must be a number."],
  [["campaigns", "change", "x", ...why], "Say what to change, as with --ends-at <time>."],
  [["points", "adjust", "a@example.com", "--points=5", ...why], "--key: "],
  [["jobs", "list", "--limit", "5000"], "--limit: Use "],
  [["whitelist", "list", "--after", "zzz"], "--after: Invalid UUID"],
])("exits with 2 and says what is wrong with %j", async (args, message) => {
  const { status, stdout, stderr } = await run({}, ...args);
  expect({ status, stdout, stderr }).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining("npm run ops"),
  });
  expect(stderr.startsWith(message)).toBe(true);
  const { stdout: json, ...inJson } = await run({}, ...args, "--json");
  expect(inJson).toEqual({ status: 2, stderr: "" });
  expect(JSON.parse(json)).toEqual({ error: "WRONG_USE", message: expect.stringContaining(message) });
});

test("help lists the commands and how to write each", async () => {
  expect(await run({}, "help")).toEqual(await run({}, "--help"));
  expect(await run({}, "help", "whitelist")).toEqual(await run({}, "whitelist", "--help"));
  expect(await run({}, "--help")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/administrators .*\n.*whitelist .*\n.*campaigns /),
  });
  const { status, stdout } = await run({}, "whitelist", "--help");
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/whitelist set <email>… --reason <why>/),
  });
});
