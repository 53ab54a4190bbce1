import { createServer } from "node:http";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createTestDeps } from "../../../tests/support/api/api.ts";
import { createAuthority } from "../../../tests/support/servers/certificates.ts";
import { serveLocally } from "../../../tests/support/servers/serve-locally.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import type { DatabaseFacts } from "../../db/inspect.ts";
import { runCommand } from "../command.ts";
import { listenForOperations } from "../control-server.ts";
import { examineAll, type Check, type Examination } from "../doctor/check.ts";
import { database as databaseCheck } from "../doctor/database.ts";
import { clock } from "../doctor/machine.ts";
import { proxies } from "../doctor/settings.ts";
import { readEnvLeniently } from "../ops-env.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-doctor-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function examine(settings: Record<string, string>, ...args: string[]) {
  const said: string[] = [];
  const note = (text: string) => void said.push(text);
  const status = await runCommand(["doctor", "--json", ...args], settings, { out: note, err: note });
  const text = said.join("\n");
  const checks = JSON.parse(text) as Check[];
  const find = (name: string) => checks.filter((check) => check.name === name);
  return { status, checks, text, find };
}

/** Runs one check alone. */
const look = (examination: Examination, settings: Record<string, string>) =>
  examineAll([examination], { ...readEnvLeniently(settings), sendTo: undefined });

/** Starts a server whose clock is behind, and returns its URL. If `path` is given, it has nothing else. */
async function listen(behind: number, path?: string) {
  const server = createServer({}, (request, response) => {
    if (path && request.url !== path) response.statusCode = 404;
    response.sendDate = false;
    response.setHeader("Date", new Date(Date.now() - behind).toUTCString());
    response.end("{}");
  });
  const { url, close } = await serveLocally(server);
  onTestFinished(close);
  return url;
}

test("finds a demo in order, with or without a running server, but not after a killed restore", async () => {
  const dataDir = await createFolder();
  const { find, status } = await examine({ DATA_DIR: dataDir });
  expect(status).toBe(0);
  expect(find("database")).toMatchObject([{ state: "ok", says: "The first start creates the embedded one." }]);

  // A database that a killed restore moved aside is not one that has yet to be created.
  const aside = join(dataDir, "db", "postgres-until-2026-11-27T00-00-00-000Z");
  await mkdir(aside, { recursive: true });
  const killed = await examine({ DATA_DIR: dataDir });
  expect(killed.find("database")).toMatchObject([{ state: "broken", says: expect.stringContaining(aside) }]);

  onTestFinished(await listenForOperations(createTestDeps(database), dataDir));
  const running = await examine({ DATA_DIR: dataDir });
  expect(running.find("database")).toMatchObject([
    { state: "ok", says: expect.stringMatching(/^The server runs on its embedded one/) },
    { state: "ok", says: expect.stringMatching(/^Its schema is up to date: \d{4}_\w+\.$/) },
  ]);
});

test("says what to do about each problem and shows no secret", async () => {
  const settings = {
    NODE_ENV: "production",
    DATA_DIR: await createFolder(),
    PUBLIC_URL: "https://127.0.0.1:1",
    SESSION_SECRET: "short-and-secret",
    DATABASE_URL: "postgres://app:100%planted-in-the-url@127.0.0.1:1/nodebeat",
    DATABASE_POOL_SIZE: "many",
    SMTP_URL: "smtp://mailer:planted-for-mail@127.0.0.1:1",
    MAIL_FROM: "Nodebeat <hello@nodebeat.test>",
    TRUSTED_PROXIES: "0.0.0.0/0",
    NODE_EXTRA_CA_CERTS: "/nowhere/to/be/found.pem",
    LOGLEVEL: "debug",
  };
  const { checks, find, status, text } = await examine(settings);
  expect(status).toBe(1);
  expect(find("settings").map(({ says }) => says)).toEqual([
    "DATABASE_POOL_SIZE must be a whole number.",
    expect.stringContaining("SESSION_SECRET is weak"),
    "LOGLEVEL is no setting and has no effect. Did you mean LOG_LEVEL?",
  ]);
  for (const name of ["database", "mail server", "trusted proxies"])
    expect(find(name)).toMatchObject([{ state: "broken" }]);
  expect(find("database")[0]?.says).toContain('The database "nodebeat" on 127.0.0.1:1 cannot be opened as "app"');
  expect(find("certificates").map(({ state }) => state)).toEqual(["warning", "broken"]);
  expect(text).not.toMatch(/planted|short-and-secret/);
  expect(checks.filter(({ state, todo, says }) => state !== "ok" && !todo && !says.includes("Check "))).toEqual([]);
});

test("reports a missing or unreadable setting as broken", async () => {
  const dataDir = await createFolder();
  const { find } = await examine({ NODE_ENV: "production", DATA_DIR: dataDir, DATABASE_URL: "mysql://db/nodebeat" });
  for (const name of ["database", "mail server"]) expect(find(name)).toMatchObject([{ state: "broken" }]);
  const { find: inDemo } = await examine({ DATA_DIR: dataDir, SMTP_URL: "smtp://127.0.0.1:1" });
  expect(inDemo("mail server")).toMatchObject([{ state: "broken" }]);
});

test("reports NODE_EXTRA_CA_CERTS in .env as broken, because Node reads it earlier", async () => {
  const file = join(await createFolder(), "authority.pem");
  await writeFile(file, createAuthority("Ours").cert);
  const { find } = await examine({ DATA_DIR: await createFolder(), NODE_EXTRA_CA_CERTS: file });
  expect(find("certificates")).toMatchObject([{ state: "broken", says: expect.stringContaining("before .env") }]);
});

test("checks Supabase at the URL that members sign in at, even if it has a path", async () => {
  const url = await listen(0, "/supabase/auth/v1/settings");
  for (const SUPABASE_URL of [`${url}/supabase`, `${url}/supabase/`]) {
    const { find } = await examine({ DATA_DIR: await createFolder(), SUPABASE_URL, SUPABASE_ANON_KEY: "key" });
    expect(find("backends")).toMatchObject([{ state: "ok", says: "Supabase answers, and accepts the key." }]);
  }
});

test("warns of settings that have no effect with API_URL and of a wrong clock", async () => {
  const late = await listen(30_000);
  const nowhere = "127.0.0.1:1";
  const { find } = await examine({
    API_URL: late,
    DATABASE_URL: "postgres://app@db/nodebeat",
    SMTP_URL: `smtp://${nowhere}`,
    MAIL_FROM: "hello@nodebeat.test",
    SUPABASE_URL: `http://${nowhere}`,
    SUPABASE_ANON_KEY: "anonymous",
    DATA_DIR: await createFolder(),
  });
  const warnings = find("settings").filter(({ state }) => state === "warning");
  expect(warnings.map(({ says }) => says.split(":")[0])).toEqual([
    "DATABASE_URL has no effect with API_URL",
    "SMTP_URL has no effect with API_URL",
    "SUPABASE_URL has no effect with API_URL",
  ]);
  // Doctor does not ask services that are not needed.
  expect(find("mail server")).toMatchObject([{ state: "ok" }]);
  expect(find("database")).toMatchObject([{ state: "ok" }]);
  expect(find("backends")).toMatchObject([{ state: "ok" }]);
  expect(find("clock")).toMatchObject([
    { state: "warning", says: expect.stringMatching(/^It is (29|30|31) s ahead\.$/) },
  ]);
  expect(await look(clock, { API_URL: await listen(90_000) })).toMatchObject([{ state: "broken" }]);
  expect(await look(clock, { API_URL: await listen(0) })).toMatchObject([{ says: "It agrees with other clocks." }]);
});

test("says what the server cannot work with in a database, and warns if its clock is off by 2 s or more", async () => {
  const facts: DatabaseFacts = {
    version: "18.1",
    role: "app",
    encoding: "UTF8",
    bytes: 1,
    isReadOnly: false,
    connections: 1,
    mostConnections: 100,
    time: 0,
    withoutRights: [],
    undivided: [],
    // A later version gets the same line, whichever migrations exist here.
    schema: { reached: null, reachedAt: Number.MAX_SAFE_INTEGER, missing: [], isLater: true },
    clockAhead: 0,
    clockError: 0,
  };
  const dataDir = await createFolder();
  await mkdir(join(dataDir, "control"));
  let said: Partial<DatabaseFacts> = {};
  const server = createServer((_, response) => void response.end(JSON.stringify({ result: { ...facts, ...said } })));
  server.listen(join(dataDir, "control", "ops.sock"));
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const cases: [Partial<DatabaseFacts>, ...string[]][] = [
    [{ version: "14.9" }, "broken: PostgreSQL 14.9 is too old."],
    [{ version: "15.0" }],
    [{ isReadOnly: true }, "broken: It takes no writes."],
    [{ encoding: "LATIN1" }, "broken: Its encoding is LATIN1."],
    [{ withoutRights: ["a", "b", "c", "d", "e"] }, "broken: The role cannot read and write a, b, c, d, e."],
    [
      { withoutRights: ["a", "b", "c", "d", "e", "f"] },
      "broken: The role cannot read and write a, b, c, d, e and others.",
    ],
    [{ undivided: ["points_ledger"] }, "warning: LEDGER_RETENTION_MONTHS has no effect until its table is divided."],
    [
      { undivided: ["heartbeats", "points_ledger"] },
      "warning: HEARTBEAT_RETENTION_MONTHS has no effect until its table is divided.",
      "warning: LEDGER_RETENTION_MONTHS has no effect until its table is divided.",
    ],
    [{ clockAhead: 1_999 }],
    [{ clockAhead: -2_000 }, "warning: Its clock is 2 s behind this machine's."],
    [{ clockAhead: 60_999, clockError: 1_000 }, "warning: Its clock is 60 s ahead of this machine's."],
    [{ clockAhead: 61_000, clockError: 1_000 }, "broken: Its clock is 60 s ahead of this machine's."],
  ];
  for (const [given, ...told] of cases) {
    said = given;
    const checks = await look(databaseCheck, { DATA_DIR: dataDir, LEDGER_RETENTION_MONTHS: "13" });
    const wrong = checks.filter(({ says, state }) => state !== "ok" && !says.startsWith("Its schema"));
    expect(wrong.map(({ says, state }) => `${state}: ${says}`)).toEqual(told);
  }
  // Without that setting, every row is to be kept.
  said = { undivided: ["points_ledger"] };
  expect((await look(databaseCheck, { DATA_DIR: dataDir })).every(({ says }) => !says.includes("RETENTION"))).toBe(
    true,
  );
});

test("warns that all members count as one client if TRUSTED_PROXIES does not name the proxy", async () => {
  const settings = { NODE_ENV: "production", PUBLIC_URL: "https://nodebeat.test" };
  expect(await look(proxies, settings)).toMatchObject([
    { state: "warning", says: expect.stringContaining("all members count as one client") },
  ]);
  expect(await look(proxies, { ...settings, TRUSTED_PROXIES: "10.0.0.0/8" })).toMatchObject([{ state: "ok" }]);
});

test("a check that does not answer in time is broken and does not hold up the others", async () => {
  const around = { ...readEnvLeniently({ SMTP_URL: "smtp://a:planted@127.0.0.1" }), sendTo: undefined };
  const never = { name: "never", examine: () => new Promise<Check[]>(() => {}) };
  const failing = { name: "failing", examine: () => Promise.reject(new Error("It said planted")) };
  expect(await examineAll([never, failing], around, 10)).toMatchObject([
    { name: "never", state: "broken", says: "No answer came within 0.01 s." },
    { name: "failing", state: "broken", says: "It said …" },
  ]);
});
