import { readdirSync, readFileSync, statSync } from "node:fs";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember, TEST_PASSWORD } from "../tests/support/api.ts";
import { createTestDatabase } from "../tests/support/test-database.ts";
import { listen, type Listening } from "../server/http/listening/listen.ts";
import { readStats } from "../server/points/contract.ts";
import { checkLedger } from "../server/points/ledger/rebuild.ts";
import { runNode } from "./run-node.ts";
import type { NodeSettings } from "./settings.ts";

const MINUTE = 60_000;
const database = await createTestDatabase();
const clock = createTestClock("2026-11-20T12:00:00.000Z");
const api = createTestApi(database, { now: clock.now, env: { heartbeatIntervalSeconds: 900, pointsPerHeartbeat: 25 } });

type Answer = (request: Request, connection?: Socket) => Response | Promise<Response>;

let folder = "";
let server: Listening;
/** What stands between the node and the API; a test may put something else there. */
let answer: Answer = api.fetch;
let member: Awaited<ReturnType<typeof seedMember>>;

beforeEach(async () => {
  await database.reset();
  // Each test begins with a slot.
  clock.advance(60 * MINUTE - (clock.now().getTime() % (60 * MINUTE)));
  folder = await mkdtemp(join(tmpdir(), "nodebeat-node-"));
  answer = api.fetch;
  server = await startServer();
  member = await seedMember(api.deps);
});
afterEach(async () => {
  await server.drain(1000);
  await rm(folder, { recursive: true });
});
afterAll(() => database.close());

const startServer = (port = 0) =>
  listen(
    { fetch: (request, env) => answer(request, env && "incoming" in env ? env.incoming?.socket : undefined) },
    { port, host: "127.0.0.1", log: api.deps.log, headers: {} },
  );

type Run = {
  settings?: Partial<NodeSettings>;
  minutes: number;
  /** What happens around the node, by the minute after its start. */
  events?: [minute: number, happen: () => Promise<unknown>][];
  /** How far this machine's clock is ahead of the server's, in milliseconds. */
  ahead?: number;
};

/** Runs a node for some minutes of a clock that passes them at once, and returns what it reported. */
async function run({ ahead = 0, events = [], minutes, settings }: Run): Promise<string[]> {
  const stop = new AbortController();
  const start = clock.now().getTime();
  const script = [...events, [minutes, async () => stop.abort()] as const].map(([minute, happen]) => ({
    at: start + minute * MINUTE,
    happen,
  }));
  async function sleep(milliseconds: number) {
    const until = clock.now().getTime() + milliseconds;
    for (let next = script[0]; next && next.at <= until; next = script[0]) {
      script.shift();
      clock.advance(next.at - clock.now().getTime());
      await next.happen();
      stop.signal.throwIfAborted();
    }
    clock.advance(until - clock.now().getTime());
  }
  const lines: string[] = [];
  await runNode(
    {
      url: server.url,
      email: member.user.email,
      password: TEST_PASSWORD,
      name: "attic",
      folder,
      apiKey: undefined,
      renew: false,
      ...settings,
    },
    {
      clock: { now: () => new Date(clock.now().getTime() + ahead), sleep },
      random: () => 0.5,
      report: (line) => lines.push(line),
      signal: stop.signal,
      ask: undefined,
    },
  );
  return lines;
}

const readHeartbeats = async () => (await api.read(readStats, { token: member.token })).heartbeats;
const filesOf = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const count = async (query: string): Promise<number> =>
  Number((await database.pool.query(`select count(*) as count from ${query}`)).rows[0]?.count);

test("signs in once, as patiently as the server asks, and beats once an interval", async () => {
  const lines = await run({ minutes: 60 });

  expect(lines).toEqual([
    `beating for ${member.user.email} at ${server.url}`,
    "beat counted · 1 heartbeat, 25 PTS",
    "beat counted · 2 heartbeats, 50 PTS",
    "beat counted · 3 heartbeats, 75 PTS",
    "beat counted · 4 heartbeats, 100 PTS",
    "stopped",
  ]);
  expect(await api.read(readStats, { token: member.token })).toMatchObject({ heartbeats: 4, points_total: 100 });
});

test("keeps a key that only its owner can read, and neither password nor session", async () => {
  await run({ minutes: 1 });

  const files = filesOf(folder);
  expect(files.map((path) => statSync(path).mode & 0o777)).toEqual(files.map(() => 0o600));
  const kept = files.map((path) => readFileSync(path, "utf8")).join("\n");
  expect(kept).toContain("nbd_");
  expect(kept).not.toContain(TEST_PASSWORD);
  // The member's own session and none of the node's.
  expect(await count("sessions where revoked_at is null")).toBe(1);
});

test("starts again with its key and without a password", async () => {
  await run({ minutes: 1 });
  clock.advance(15 * MINUTE);
  const lines = await run({ minutes: 1, settings: { password: undefined, email: undefined } });

  expect(lines).toContain("beat counted · 2 heartbeats, 50 PTS");
  expect(await count("node_devices")).toBe(1);
});

test("a restart within a slot beats again, and the server counts it once", async () => {
  await run({ minutes: 1 });
  const lines = await run({ minutes: 1 });

  expect(lines).toContain("beat already counted · 1 heartbeat, 25 PTS");
  expect(await readHeartbeats()).toBe(1);
});

test("keeps beating through an outage and sends what waited as one batch", async () => {
  const { port } = new URL(server.url);
  const lines = await run({
    minutes: 300,
    events: [
      [20, () => server.drain(1000)],
      [200, async () => (server = await startServer(Number(port)))],
    ],
  });

  expect(lines.some((line) => /^no answer from .+ \(1 waiting, next try in \d+ s\)$/.test(line))).toBe(true);
  expect(lines.some((line) => /^\d+ beats counted · /.test(line))).toBe(true);
  expect(lines.at(-1)).toBe("stopped");
  expect(await readHeartbeats()).toBe(20);
  expect(await checkLedger(database.db)).toEqual([]);
});

test("a server that restarts in the middle of every call loses nothing and counts nothing twice", async () => {
  let calls = 0;
  // Does what it is asked, and dies before it has said so.
  answer = async (request, connection) => {
    const response = await api.fetch(request);
    if (request.url.endsWith("/api/heartbeats") && ++calls % 2 === 1) connection?.destroy();
    return response;
  };
  const lines = await run({ minutes: 120 });

  expect(lines.filter((line) => line.startsWith("no answer")).length).toBeGreaterThan(5);
  expect(lines.filter((line) => line.startsWith("beat already counted")).length).toBeGreaterThan(5);
  expect(await readHeartbeats()).toBe(8);
  expect(await api.read(readStats, { token: member.token })).toMatchObject({ points_total: 200 });
});

test("what waits when it is stopped is sent at the next start", async () => {
  await run({ minutes: 1 });
  const { port } = new URL(server.url);
  const lines = await run({ minutes: 60, events: [[1, () => server.drain(1000)]] });
  expect(lines.at(-1)).toBe("stopped, 3 waiting for the next start");

  server = await startServer(Number(port));
  const next = await run({ minutes: 1 });

  expect(next[0]).toBe(`beating for ${member.user.email} at ${server.url}, 3 waiting`);
  expect(await readHeartbeats()).toBe(5);
});

test("a queue of more beats than a call may carry goes in several calls", async () => {
  await run({ minutes: 1 });
  const device = filesOf(folder).find((path) => path.endsWith("beats")) ?? "";
  const waiting = Array.from({ length: 600 }, (_, index) => new Date(clock.now().getTime() - index * 15 * MINUTE));
  const repeated = [...waiting, ...waiting].map((beat) => `${beat.toISOString()}\n`);
  await appendFile(device, `${repeated.join("")}2026-11-20T11:5`);

  const lines = await run({ minutes: 1 });

  expect(lines.filter((line) => line.includes("counted"))).toHaveLength(2);
  expect(await readHeartbeats()).toBe(600);
  expect(readFileSync(device, "utf8")).toBe("");
});

test("a clock that is wrong is said, and its beats do not pile up", async () => {
  const lines = await run({ minutes: 31, ahead: 10 * MINUTE });

  expect(lines.filter((line) => line.startsWith("beat refused: ") && line.includes("clock")).length).toBeGreaterThan(1);
  expect(lines.at(-1)).toBe("stopped");
  expect(await readHeartbeats()).toBe(0);
});

test("wrong credentials end it with the server's words, and nothing is kept", async () => {
  await expect(run({ minutes: 5, settings: { password: "not the password" } })).rejects.toMatchObject({
    name: "CallFailed",
    code: "INVALID_CREDENTIALS",
    message: expect.stringMatching(/do not match/),
  });
  expect(filesOf(folder)).toEqual([]);
});

test.each([
  [{ password: undefined }, /NODEBEAT_PASSWORD/],
  [{ email: undefined }, /--email/],
])("without %o and nobody to ask, it says what is missing", async (settings, message) => {
  await expect(run({ minutes: 5, settings })).rejects.toMatchObject({
    name: "NodeProblem",
    message: expect.stringMatching(message),
  });
});

test("a revoked key: without a password it says what to do, with one it gets a new key", async () => {
  await run({ minutes: 1 });
  await database.pool.query("update node_devices set revoked_at = now()");
  clock.advance(15 * MINUTE);

  await expect(run({ minutes: 1, settings: { password: undefined } })).rejects.toMatchObject({
    status: 401,
    message: expect.stringContaining("--sign-in"),
  });
  expect(await run({ minutes: 1 })).toContain("the server does not know this machine's key: signing in again");
  expect(await readHeartbeats()).toBe(2);
});

test("a server that is busy is asked again when it wants to be", async () => {
  let refusals = 2;
  answer = async (request) =>
    request.url.endsWith("/api/login") && refusals-- > 0
      ? Response.json(
          { message: "Busy.", error: "UNAVAILABLE", statusCode: 503 },
          { status: 503, headers: { "Retry-After": "30" } },
        )
      : api.fetch(request);
  const lines = await run({ minutes: 10 });

  expect(lines.slice(0, 2)).toEqual(["Busy. (next try in 30 s)", "Busy. (next try in 30 s)"]);
  expect(await readHeartbeats()).toBe(1);
});

test("an address that is not Nodebeat's is not asked forever", async () => {
  answer = async () => new Response("<!doctype html>", { status: 404, headers: { "Content-Type": "text/html" } });
  await expect(run({ minutes: 5 })).rejects.toMatchObject({ message: expect.stringContaining("404") });

  answer = async () => new Response(null, { status: 308, headers: { Location: "https://elsewhere.example/api" } });
  await expect(run({ minutes: 5 })).rejects.toMatchObject({
    message: expect.stringContaining("https://elsewhere.example"),
  });
});
