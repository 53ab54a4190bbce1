import { readFileSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { registerDevice } from "../server/heartbeats/contract.ts";
import { seedMember, TEST_PASSWORD } from "../tests/support/api/api.ts";
import { createNodeUnderTest, MINUTE } from "../tests/support/servers/node-under-test.ts";

const node = await createNodeUnderTest();
const { api, clock, database } = node;

/** Answers like a server that knows no machine's key, but does everything else. */
const refuseBeats = (request: Request) =>
  request.url.endsWith("/api/heartbeats")
    ? Response.json({ message: "Nobody's.", error: "UNAUTHORIZED", statusCode: 401 }, { status: 401 })
    : api.fetch(request);

const modeOf = (path: string) => statSync(path).mode & 0o777;

test("stores a key that only its owner can read, and neither the password nor a session", async () => {
  await node.run({ minutes: 1 });

  const files = node.listFiles();
  expect(files.map((path) => [modeOf(path), modeOf(dirname(path))])).toEqual(files.map(() => [0o600, 0o700]));
  const kept = files.map((path) => readFileSync(path, "utf8")).join("\n");
  expect(kept).toContain("nbd_");
  expect(kept).not.toContain(TEST_PASSWORD);
  // The member's own session, and none of the node's.
  expect(await node.count("sessions where revoked_at is null")).toBe(1);
});

test("restarts with its key, without a password", async () => {
  await node.run({ minutes: 1 });
  clock.advance(15 * MINUTE);
  const lines = await node.run({ minutes: 1, settings: { password: undefined, email: undefined } });

  expect(lines).toContain("heartbeat counted · 2 heartbeats, 50 PTS");
  expect(await node.count("node_devices")).toBe(1);
});

test("wrong credentials end it with the server's message, and it stores nothing", async () => {
  await expect(node.run({ minutes: 5, settings: { password: "not the password" } })).rejects.toMatchObject({
    name: "CallFailed",
    code: "INVALID_CREDENTIALS",
    message: expect.stringMatching(/do not match/),
  });
  expect(node.listFiles()).toEqual([]);
});

test.each([
  [{ password: undefined }, /NODEBEAT_PASSWORD/],
  [{ email: undefined }, /--email/],
])("with %o and no terminal to ask, it says what is missing", async (settings, message) => {
  await expect(node.run({ minutes: 5, settings })).rejects.toMatchObject({
    name: "NodeProblem",
    message: expect.stringMatching(message),
  });
});

test("replaces a revoked key if it has the password, and otherwise says what to do", async () => {
  await node.run({ minutes: 1 });
  await database.pool.query("update node_devices set revoked_at = now()");
  clock.advance(15 * MINUTE);

  await expect(node.run({ minutes: 1, settings: { password: undefined } })).rejects.toMatchObject({
    status: 401,
    message: expect.stringContaining("--sign-in"),
  });
  expect(await node.run({ minutes: 1 })).toContain("this machine's key was revoked: signing in for a new one");
  expect(await node.countHeartbeats()).toBe(2);
});

test("retries a busy server after the time that it asks for", async () => {
  let refusals = 2;
  node.answer = async (request) =>
    request.url.endsWith("/api/login") && refusals-- > 0
      ? Response.json(
          { message: "Busy.", error: "UNAVAILABLE", statusCode: 503 },
          { status: 503, headers: { "Retry-After": "30" } },
        )
      : api.fetch(request);
  const lines = await node.run({ minutes: 10 });

  expect(lines.slice(0, 2)).toEqual(["Busy. (next try in 30 s)", "Busy. (next try in 30 s)"]);
  expect(await node.countHeartbeats()).toBe(1);
});

test("lost responses during sign-in leave one key and no session", async () => {
  const asked = new Map<string, number>();
  // Does what was asked, and dies before it has answered, three times for each.
  node.answer = async (request, connection) => {
    const { pathname } = new URL(request.url);
    const response = await api.fetch(request);
    const times = asked.get(pathname) ?? 0;
    asked.set(pathname, times + 1);
    if (/devices|logout/.test(pathname) && times < 3) connection?.destroy();
    return response;
  };
  const lines = await node.run({ minutes: 1 });

  expect(lines).toContain("heartbeat counted · 1 heartbeat, 25 PTS");
  expect(Object.fromEntries(asked)).toMatchObject({ "/api/heartbeats/devices": 4, "/api/auth/logout": 3 });
  expect(await node.count("node_devices")).toBe(1);
  expect(await node.count("sessions where revoked_at is null")).toBe(1);
});

test("beats even if the server goes away before it signs out", async () => {
  node.answer = async (request, connection) => {
    if (request.url.endsWith("/api/auth/logout")) connection?.destroy();
    return api.fetch(request);
  };
  expect(await node.run({ minutes: 1 })).toContain("heartbeat counted · 1 heartbeat, 25 PTS");
  expect(await node.run({ minutes: 1, settings: { password: undefined } })).toContain(
    "heartbeat already counted · 1 heartbeat, 25 PTS",
  );
});

test("if it cannot store its key, it beats with the key until it stops", async () => {
  await node.run({ minutes: 1 });
  const file = node.listFiles().find((path) => path.endsWith("device.json")) ?? "";
  await rm(file);
  // A folder that is not empty: no file can replace it.
  await mkdir(join(file, "in the way"), { recursive: true });
  clock.advance(15 * MINUTE);
  const lines = await node.run({ minutes: 1, settings: { renew: true } });
  expect(lines[0]).toMatch(/^the key cannot be kept in .+device\.json: the next start signs in again \(E[A-Z]+: .+\)$/);
  expect(lines).toContain("heartbeat counted · 2 heartbeats, 50 PTS");
});

test("names a folder that cannot be created and says what to do", async () => {
  await node.run({ minutes: 1 });
  const [file = ""] = node.listFiles();
  // On Linux, no folder can be created there.
  for (const folder of [file, "/proc/nodebeat"])
    await expect(node.run({ minutes: 1, settings: { folder } })).rejects.toMatchObject({
      name: "NodeProblem",
      message: expect.stringMatching(/ cannot be created \(E\w+: .+\)\. Name another folder with --folder\.$/),
    });
});

test("tries a failed bot check up to three times", async () => {
  let tries = 0;
  node.answer = async (request) => {
    if (!request.url.endsWith("/api/login")) return api.fetch(request);
    tries += 1;
    return Response.json({ message: "No.", error: "BOT_CHECK_FAILED", statusCode: 403 }, { status: 403 });
  };
  await expect(node.run({ minutes: 5 })).rejects.toMatchObject({ code: "BOT_CHECK_FAILED" });
  expect(tries).toBe(3);

  // If one check succeeds in the end, that is enough.
  tries = 0;
  const fail = node.answer;
  node.answer = async (request, connection) =>
    request.url.endsWith("/api/login") && tries === 2 ? api.fetch(request) : fail(request, connection);
  expect(await node.run({ minutes: 5 })).toContain("heartbeat counted · 1 heartbeat, 25 PTS");
});

test("asks for missing credentials at the terminal and normalizes the email address", async () => {
  const asked: [string, boolean][] = [];
  const replies = [` ${node.member.user.email.toUpperCase()} `, TEST_PASSWORD];
  const prompt = async (question: string, { secret }: { secret: boolean }) => {
    asked.push([question, secret]);
    return replies.shift() ?? "";
  };
  const lines = await node.run({ minutes: 1, settings: { email: undefined, password: undefined }, prompt });

  expect(asked).toEqual([
    ["Email: ", false],
    [`Password of ${node.member.user.email}: `, true],
  ]);
  expect(lines).toContain("heartbeat counted · 1 heartbeat, 25 PTS");
});

test("with a given key, sends the waiting beats to the server's new address", async () => {
  const { deviceKey: key } = await api.read(registerDevice, { token: node.member.token, body: { name: "attic" } });
  await node.run({ minutes: 1, settings: { key } });
  await node.server.drain(1000);
  clock.advance(15 * MINUTE);
  await node.run({ minutes: 1, settings: { key } });

  await node.startServer();
  const [first] = await node.run({ minutes: 1, settings: { key } });
  expect(first).toBe(`sending heartbeats with the key of this machine to ${node.server.url}, 1 waiting`);
  expect(await node.countHeartbeats()).toBe(2);
});

test("requires --email if two members have used this machine", async () => {
  await node.run({ minutes: 1 });
  const other = await seedMember(api.deps);
  await node.run({ minutes: 1, settings: { email: other.user.email } });
  await expect(node.run({ minutes: 1, settings: { email: undefined } })).rejects.toThrow("--email ADDRESS");
});

test("--sign-in gets a new key even if it has one, and ends if the new one is refused", async () => {
  await node.run({ minutes: 1 });
  await node.run({ minutes: 1, settings: { renew: true } });
  expect(await node.count("node_devices")).toBe(2);

  node.answer = refuseBeats;
  clock.advance(15 * MINUTE);
  await expect(node.run({ minutes: 1, settings: { renew: true } })).rejects.toMatchObject({
    message: "The server does not accept this machine's key. Get a new one with --sign-in.",
    status: 401,
    code: "UNAUTHORIZED",
  });
  // The third is the new one that was refused.
  expect(await node.count("node_devices")).toBe(3);
});

test("ends if the new key is refused, too", async () => {
  await node.run({ minutes: 1 });
  node.answer = refuseBeats;
  await expect(node.run({ minutes: 1 })).rejects.toMatchObject({ status: 401 });
  expect(await node.count("node_devices")).toBe(2);
});

test("names a stored file that it cannot read and says what to do", async () => {
  await node.run({ minutes: 1 });
  const path = node.listFiles().find((each) => each.endsWith("device.json")) ?? "";
  await writeFile(path, '{"email":');
  await expect(node.run({ minutes: 1 })).rejects.toMatchObject({
    name: "NodeProblem",
    message: `${path} cannot be read. Delete it to sign in again.`,
  });
});
