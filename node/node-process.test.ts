import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createTestApi, seedMember, TEST_PASSWORD } from "../tests/support/api/api.ts";
import { BARE_ENV } from "../tests/support/servers/bare-env.ts";
import { findFreePort } from "../tests/support/servers/free-port.ts";
import { QUICK_EXIT } from "../tests/support/servers/quick-engine.ts";
import { createTestDatabase } from "../tests/support/database/test-database.ts";
import { listen, type Listening } from "../server/http/listening/listen.ts";
import { registerDevice } from "../server/heartbeats/contract.ts";
import { readStats } from "../server/points/contract.ts";
import { writeDemoAccess } from "./demo-access.ts";

/* The node as it is started by hand: a separate process, with a server that counts one beat per second. */

const database = await createTestDatabase();
const api = createTestApi(database, { env: { heartbeatIntervalSeconds: 1 } });
const command = fileURLToPath(new URL("./index.ts", import.meta.url));

let folder = "";
let server: Listening;
let member: Awaited<ReturnType<typeof seedMember>>;

beforeEach(async () => {
  await database.reset();
  folder = await mkdtemp(join(tmpdir(), "nodebeat-node-"));
  server = await startServer();
  member = await seedMember(api.deps);
});
afterEach(async () => {
  await server.drain(1000);
  await rm(folder, { recursive: true });
});
afterAll(() => database.close());

/** Uses a port that nobody else gets by chance while the server is down. */
const startServer = async (port?: number) =>
  listen(
    { fetch: api.fetch },
    { port: port ?? (await findFreePort()), host: "127.0.0.1", log: api.deps.log, headers: {} },
  );

/** Starts the command in an environment that has only the given variables. */
function startNode(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [...QUICK_EXIT, command, ...args], {
    cwd: folder,
    env: { ...BARE_ENV, DATA_DIR: folder, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const output = createInterface(child.stdout);
  output.on("line", (line) => lines.push(line));
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, errors }));

  /** Resolves to the first match in a line, once there is one. */
  async function says(pattern: RegExp) {
    for (;;) {
      const match = lines.map((line) => pattern.exec(line)).find(Boolean);
      if (match) return match;
      const next = await Promise.race([once(output, "line"), ended]);
      if (!Array.isArray(next)) throw new Error(`It ended without saying ${pattern}: ${lines.join("\n")}\n${errors}`);
    }
  }

  async function stop(name: "SIGTERM" | "SIGINT" | "SIGKILL") {
    child.kill(name);
    return ended;
  }
  return { lines, says, stop, ended, stopReading: () => void child.stdout.destroy() };
}

const readHeartbeats = async () => (await api.read(readStats, { token: member.token })).heartbeats;
const account = () => ({
  NODEBEAT_URL: server.url,
  NODEBEAT_EMAIL: member.user.email,
  NODEBEAT_PASSWORD: TEST_PASSWORD,
});

test.each(["SIGINT", "SIGTERM"] as const)("beats until %s and exits cleanly", async (signal) => {
  const node = startNode(account());
  await node.says(/heartbeat counted · 1 heartbeat, 25 PTS$/);
  // On a busy machine, a call may take longer than the time between two beats. The next call then sends several.
  const [, beats, points] = await node.says(/heartbeats? counted · ([3-9]|\d\d+) heartbeats, (\d+) PTS$/);
  expect(Number(points)).toBe(Number(beats) * 25);

  expect(await node.stop(signal)).toEqual({ code: 0, signal: null, errors: "" });
  expect(node.lines.at(-1)).toMatch(/^\d\d:\d\d:\d\d {2}stopped/);
  expect(await readHeartbeats()).toBeGreaterThanOrEqual(3);
});

test("keeps beating if nobody reads its output any more", async () => {
  const node = startNode(account());
  await node.says(/heartbeat counted/);
  node.stopReading();
  const before = await readHeartbeats();
  // The next beat's line is the first that is lost.
  await expect.poll(readHeartbeats).toBeGreaterThan(before + 2);
  expect(await node.stop("SIGTERM")).toEqual({ code: 0, signal: null, errors: "" });
});

test("after a kill and a restart, sends each waiting beat once", async () => {
  const { port } = new URL(server.url);
  const first = startNode(account());
  await first.says(/heartbeats? counted · ([2-9]|\d\d+) heartbeats/);
  // Let a beat under way get its answer, however long that takes. Otherwise it would count and also wait.
  await server.drain(60_000);
  await first.says(/[3-9] waiting/);
  expect(await first.stop("SIGKILL")).toMatchObject({ signal: "SIGKILL" });

  const beats = join(folder, "node", `127.0.0.1_${port}`, encodeURIComponent(member.user.email), "beats");
  const waiting = readFileSync(beats, "utf8").trim().split("\n");
  expect(waiting.length).toBeGreaterThanOrEqual(3);
  const counted = await readHeartbeats();

  server = await startServer(Number(port));
  const second = startNode({ NODEBEAT_URL: server.url });
  await second.says(/\d heartbeats counted/);
  await expect.poll(readHeartbeats).toBeGreaterThan(counted + waiting.length);
  await second.stop("SIGTERM");

  const { rows } = await database.pool.query<{ beat: Date }>("select beat_at as beat from heartbeats");
  const stored = rows.map(({ beat }) => beat.toISOString());
  expect(stored).toEqual(expect.arrayContaining(waiting));
  expect(stored.length).toBeGreaterThan(counted + waiting.length);
  expect(await api.read(readStats, { token: member.token })).toMatchObject({
    heartbeats: stored.length,
    points_total: stored.length * 25,
  });
});

test("without arguments it beats for the member of this machine's demo, even after the demo is reset", async () => {
  await writeDemoAccess(folder, { url: server.url, email: member.user.email, password: TEST_PASSWORD });
  expect(statSync(join(folder, "demo-node.json")).mode & 0o777).toBe(0o600);
  const node = startNode({});

  await node.says(/heartbeat counted/);
  expect(await node.stop("SIGINT")).toMatchObject({ code: 0 });

  // The demo was reset and knows no keys. There is a password, so nobody has to do anything.
  await database.reset();
  member = await seedMember(api.deps, { email: member.user.email });
  const again = startNode({});
  await again.says(/does not know its key: signing in for a new one/);
  await again.says(/beats? counted/);
  await again.stop("SIGINT");
});

test("sends the demo's password only to the demo", async () => {
  await writeDemoAccess(folder, { url: "http://127.0.0.1:9", email: member.user.email, password: TEST_PASSWORD });

  const { code, errors } = await startNode({}, "--url", server.url).ended;

  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining("name the member with --email") });
});

const withKey = (deviceKey: string) => ({ NODEBEAT_URL: server.url, NODEBEAT_KEY: deviceKey });
const makeKey = async () =>
  (await api.read(registerDevice, { token: member.token, body: { name: "attic" } })).deviceKey;

test("with a key it beats for the key's member without signing in or storing the key", async () => {
  const keys = [await makeKey(), await makeKey()] as const;
  for (const start of [() => startNode(withKey(keys[0])), () => startNode({}, "--url", server.url, "--key", keys[1])]) {
    const node = start();
    await node.says(/sending heartbeats with the key of this machine to http/);
    await node.says(/heartbeat counted · \d+ heartbeats?, \d+ PTS$/);
    await node.stop("SIGTERM");
  }

  const kept = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith("beats"));
  // Beats that wait for one key are never sent with another.
  expect(kept).toHaveLength(2);
  const written = kept.map((path) => path + readFileSync(join(folder, path), "utf8")).join("\n");
  for (const key of keys) expect(written).not.toContain(key);
  expect(readdirSync(folder, { recursive: true })).not.toContain("device.json");
  const { rows } = await database.pool.query("select count(*)::int as count from sessions");
  expect(rows).toEqual([{ count: 1 }]);
});

test("a revoked key ends it with a message that says where to create a new one", async () => {
  const key = await makeKey();
  await database.pool.query("update node_devices set revoked_at = now()");

  const { code, errors } = await startNode(withKey(key)).ended;

  expect({ code, errors }).toEqual({
    code: 77,
    errors: "The server does not accept this machine's key. Create a new key on your profile, under Your machines.\n",
  });
});

test.each([
  // If it were tried again and again, it would look like guessing.
  ["a wrong password", () => ({ ...account(), NODEBEAT_PASSWORD: "not the password" }), [], 77, /do not match\.\n$/],
  ["a password on the command line", account, ["--password", TEST_PASSWORD], 1, /Unknown option '--password'/],
  ["a key that was cut off", () => withKey("nbd_cut-off"), [], 1, /^That is not the whole key of a machine/],
] as const)(
  "with %s it says so, and its exit code tells whether to restart it",
  async (_, env, args, status, message) => {
    const { code, errors } = await startNode(env(), ...args).ended;

    expect(code).toBe(status);
    expect(errors).toMatch(message);
    expect(errors).not.toMatch(/ {4}at |cut-off/);
  },
);

const SCRIPT = "/usr/bin/script";

test.skipIf(process.platform !== "linux" || !existsSync(SCRIPT)).each([
  ["\x03", 0, ""],
  ["\x04", 1, "Set NODEBEAT_PASSWORD, or start in a terminal"],
])("%j at the password prompt ends it without a stack trace", async (key, code, words) => {
  const typed = `${process.execPath} ${command} --url ${server.url} --email ada@example.com`;
  const child = spawn(SCRIPT, ["--quiet", "--return", "--command", typed, "/dev/null"], {
    cwd: folder,
    env: { ...BARE_ENV, DATA_DIR: folder },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (piece: Buffer) => {
    const isAsked = said.includes("Password of");
    said += piece.toString();
    if (!isAsked && said.includes("Password of")) child.stdin.write(key);
  });
  expect(await once(child, "close")).toEqual([code, null]);
  expect(said).toContain(words);
  expect(said).not.toMatch(/Error| {4}at /);
});

test("--help prints the usage", async () => {
  const node = startNode({}, "--help");
  expect(await node.ended).toMatchObject({ code: 0, errors: "" });
  expect(node.lines.join("\n")).toContain("NODEBEAT_KEY=KEY npm run node -- --url URL");
});
