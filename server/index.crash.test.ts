import { rm } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemberFolder } from "../tests/support/seeds/member-folder.ts";
import { QUICK_ENGINE } from "../tests/support/servers/quick-engine.ts";
import { killStarted, startIndex } from "../tests/support/servers/start-index.ts";

const EMAIL = "ada@nodebeat.test";
const PASSWORD = "a password for this test";
const HOUR_MS = 60 * 60 * 1000;

let folder: string;

beforeEach(async () => {
  folder = await createMemberFolder({ email: EMAIL, password: PASSWORD });
});
afterEach(async () => {
  await killStarted();
  await rm(folder, { recursive: true });
});

/** Starts the whole server on the test's folder, with slots of one second so that many beats count. */
async function start() {
  const settings = { DATA_DIR: folder, HEARTBEAT_INTERVAL_SECONDS: "1", LOG_LEVEL: "warn" };
  const server = startIndex(folder, settings, { nodeOptions: QUICK_ENGINE });
  const url = await server.url;
  if (!url) throw new Error(`The server ended before it was ready:\n${server.log()}`);
  return { ...server, url };
}

const post = (url: string, body: unknown, token?: string) =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });

/**
 * Signs in. A form's token can only be used a little after it was issued. Until then, the server refuses it with a time
 * to retry, and does not use it up.
 */
async function signIn(url: string): Promise<string> {
  const { turnstileToken } = await (await fetch(`${url}/api/auth/bot-check`)).json();
  for (;;) {
    const response = await post(`${url}/api/login`, { email: EMAIL, password: PASSWORD, turnstileToken });
    if (response.status === 200) return (await response.json()).access_token;
    expect(response.status).toBe(422);
    await wait(Number(response.headers.get("Retry-After")) * 1000);
  }
}

async function countHeartbeats(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/users/stats`, { headers: { Authorization: `Bearer ${token}` } });
  return (await response.json()).heartbeats;
}

/** Sends beats over several connections at once until the server is gone. Returns how many it acknowledged. */
async function beatUntilGone(url: string, token: string, from: number, onAcknowledged: (count: number) => void) {
  // Each beat gets its own second.
  let next = from;
  let acknowledged = 0;
  const worker = async () => {
    for (;;) {
      const timestamp = new Date((next += 1000)).toISOString();
      const response = await post(`${url}/api/heartbeats`, { beats: [{ timestamp }] }, token).catch(() => undefined);
      const result = response?.ok ? await response.json().catch(() => undefined) : undefined;
      if (!result) return;
      acknowledged += result.accepted;
      onAcknowledged(acknowledged);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return acknowledged;
}

/**
 * How the server ends: killed, or cleanly once everything that runs is finished. Each round sends beats of a different
 * time.
 */
const ENDS = [
  { signal: "SIGKILL", exitCode: null, hoursAgo: 100 },
  { signal: "SIGTERM", exitCode: 0, hoursAgo: 50 },
] as const;

test("SIGKILL or SIGTERM while heartbeats arrive loses none that was acknowledged", async () => {
  let server = await start();
  const token = await signIn(server.url);
  for (const { signal, exitCode, hoursAgo } of ENDS) {
    const { child, ended, url } = server;
    const before = await countHeartbeats(url, token);
    const acknowledged = await beatUntilGone(url, token, Date.now() - hoursAgo * HOUR_MS, (count) => {
      if (count === 100) child.kill(signal);
    });
    const { code } = await ended;
    expect(acknowledged).toBeGreaterThanOrEqual(100);
    expect(code).toBe(exitCode);

    server = await start();
    const after = await countHeartbeats(server.url, token);
    expect(after).toBeGreaterThanOrEqual(before + acknowledged);
    // Up to one more per connection may count: its beat was stored, but the response did not arrive.
    expect(after).toBeLessThanOrEqual(before + acknowledged + 8);
  }
});
