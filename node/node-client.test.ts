import { readFileSync } from "node:fs";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { readStats } from "../server/points/contract.ts";
import { checkLedger } from "../server/points/ledger/rebuild.ts";
import { createTestApi } from "../tests/support/api/api.ts";
import { createNodeUnderTest, MINUTE } from "../tests/support/servers/node-under-test.ts";

const node = await createNodeUnderTest();
const { api, clock, database } = node;
/** A day, in minutes. */
const DAY = 24 * 60;

test("signs in once, waiting as long as the server asks, and beats once per interval", async () => {
  const lines = await node.run({ minutes: 60 });

  expect(lines).toEqual([
    `sending heartbeats for ${node.member.user.email} to ${node.server.url}`,
    "heartbeat counted · 1 heartbeat, 25 PTS",
    "heartbeat counted · 2 heartbeats, 50 PTS",
    "heartbeat counted · 3 heartbeats, 75 PTS",
    "heartbeat counted · 4 heartbeats, 100 PTS",
    "stopped",
  ]);
  expect(await api.read(readStats, { token: node.member.token })).toMatchObject({ heartbeats: 4, points_total: 100 });
});

test("a restart within an interval beats again, and the server counts that interval once", async () => {
  await node.run({ minutes: 1 });
  const lines = await node.run({ minutes: 1 });

  expect(lines).toContain("heartbeat already counted · 1 heartbeat, 25 PTS");
  expect(await node.countHeartbeats()).toBe(1);
});

test("keeps beating through an outage and sends the waiting beats afterwards", async () => {
  const { port } = new URL(node.server.url);
  const lines = await node.run({
    minutes: 300,
    events: [
      [20, () => node.server.drain(1000)],
      [200, () => node.startServer(Number(port))],
      [230, () => node.server.drain(1000)],
      [260, () => node.startServer(Number(port))],
    ],
  });

  // The wait starts over with each outage.
  expect(lines.filter((line) => line.endsWith("(1 waiting, next try in 1 s)"))).toHaveLength(2);
  expect(lines.some((line) => /^no answer from .+ \(1 waiting, next try in \d+ s\)$/.test(line))).toBe(true);
  expect(lines.some((line) => /^\d+ heartbeats counted · /.test(line))).toBe(true);
  expect(lines.at(-1)).toBe("stopped");
  expect(await node.countHeartbeats()).toBe(20);
  expect(await checkLedger(database.db)).toEqual([]);
});

test("if the server dies before it answers, no beat is lost or counted twice", async () => {
  let calls = 0;
  // Does what was asked, and dies before it has answered.
  node.answer = async (request, connection) => {
    const response = await api.fetch(request);
    if (request.url.endsWith("/api/heartbeats") && ++calls % 2 === 1) connection?.destroy();
    return response;
  };
  const lines = await node.run({ minutes: 120 });

  expect(lines.filter((line) => line.startsWith("no answer")).length).toBeGreaterThan(5);
  expect(lines.filter((line) => line.startsWith("heartbeat already counted")).length).toBeGreaterThan(5);
  expect(await node.countHeartbeats()).toBe(8);
  expect(await api.read(readStats, { token: node.member.token })).toMatchObject({ points_total: 200 });
});

test("at the next start, sends the beats that waited when it stopped", async () => {
  await node.run({ minutes: 1 });
  const { port } = new URL(node.server.url);
  const lines = await node.run({ minutes: 60, events: [[1, () => node.server.drain(1000)]] });
  expect(lines.at(-1)).toBe("stopped, 3 waiting for the next start");

  // If it is started and cannot reach the server, it keeps what waited and adds to it.
  clock.advance(15 * MINUTE);
  expect((await node.run({ minutes: 1 })).at(-1)).toBe("stopped, 4 waiting for the next start");

  await node.startServer(Number(port));
  const next = await node.run({ minutes: 1 });

  expect(next[0]).toBe(`sending heartbeats for ${node.member.user.email} to ${node.server.url}, 4 waiting`);
  expect(await node.countHeartbeats()).toBe(5);
});

test("queues one beat per interval, even if it is restarted often while the server is down", async () => {
  await node.run({ minutes: 1 });
  await node.server.drain(1000);
  clock.advance(9 * MINUTE);
  for (const waiting of [1, 1, 1, 2]) {
    clock.advance(5 * MINUTE);
    expect((await node.run({ minutes: 1 })).at(-1)).toBe(`stopped, ${waiting} waiting for the next start`);
  }
});

test("loses no waiting beats if it starts with a clock that is a year ahead", async () => {
  await node.run({ minutes: 1 });
  const { port } = new URL(node.server.url);
  await node.run({ minutes: 60, events: [[1, () => node.server.drain(1000)]] });
  await node.startServer(Number(port));

  const lines = await node.run({ minutes: 1, ahead: () => 365 * 24 * 60 * MINUTE });

  expect(lines.slice(1, 3)).toEqual([
    "3 heartbeats counted · 4 heartbeats, 100 PTS",
    expect.stringMatching(/^heartbeat refused: /),
  ]);
  expect(await node.countHeartbeats()).toBe(4);
});

test("keeps beating if it cannot write its file, and saves the waiting beats once it can", async () => {
  const [first] = await node.run({ minutes: 1 });
  const path = node.listFiles().find((each) => each.endsWith("beats")) ?? "";
  const { port } = new URL(node.server.url);
  const lines = await node.run({
    minutes: 90,
    events: [
      [20, () => node.server.drain(1000)],
      [21, () => rm(dirname(path), { recursive: true })],
      [70, () => mkdir(dirname(path))],
    ],
  });

  expect(lines[0]).toBe(first);
  const problem = `heartbeats cannot be saved in ${path} and wait in memory (ENOENT: no such file or directory)`;
  const again = `heartbeats are saved in ${path} again`;
  expect(lines.filter((line) => line.startsWith("heartbeats "))).toEqual([problem, again]);
  expect(lines.at(-1)).toBe("stopped, 5 waiting for the next start");
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(6);

  await node.startServer(Number(port));
  const last = await node.run({
    minutes: 30,
    events: [
      [14, () => node.server.drain(1000)],
      [15, () => rm(dirname(path), { recursive: true })],
    ],
  });
  expect(last.at(-1)).toBe("stopped, and heartbeats that could not be saved are lost");
});

test("sends a queue that is too long for one request in several requests", async () => {
  await node.run({ minutes: 1 });
  const device = node.listFiles().find((path) => path.endsWith("beats")) ?? "";
  const waiting = Array.from({ length: 600 }, (_, index) => new Date(clock.now().getTime() - index * 15 * MINUTE));
  const repeated = [...waiting, ...waiting].map((beat) => `${beat.toISOString()}\n`);
  await appendFile(device, `${repeated.join("")}2026-11-20T11:5`);

  const lines = await node.run({ minutes: 1 });

  expect(lines[0]).toMatch(/, 1\.200 waiting$/);
  expect(lines.filter((line) => line.includes("counted"))).toHaveLength(2);
  expect(await node.countHeartbeats()).toBe(600);
  expect(readFileSync(device, "utf8")).toBe("");
});

test("reports a wrong clock, and the refused beats do not pile up", async () => {
  const lines = await node.run({ minutes: 31, ahead: () => 10 * MINUTE });

  expect(lines.filter((line) => /^heartbeat refused: .*clock/.test(line)).length).toBeGreaterThan(1);
  expect(lines.at(-1)).toBe("stopped");
  expect(await node.countHeartbeats()).toBe(0);
});

test.each([0, 31_536_000])("rejects an interval of %i s, keeps the beats and continues", async (intervalSeconds) => {
  let lies = 1;
  node.answer = async (request) => {
    const response = await api.fetch(request);
    if (!request.url.endsWith("/api/heartbeats") || lies-- <= 0) return response;
    return Response.json({ ...(await response.json()), intervalSeconds });
  };
  const lines = await node.run({ minutes: 25 });

  expect(lines).toContain(
    `${node.server.url} did not answer /api/heartbeats as Nodebeat does (1 waiting, next try in 1 s)`,
  );
  expect(lines.slice(-3)).toEqual([
    "heartbeat already counted · 1 heartbeat, 25 PTS",
    "heartbeat counted · 2 heartbeats, 50 PTS",
    "stopped",
  ]);
});

test("beats at the interval that the server sets", async () => {
  const often = createTestApi(database, {
    now: clock.now,
    env: { heartbeatIntervalSeconds: 300, pointsPerHeartbeat: 25 },
  });
  node.answer = often.fetch;
  const lines = await node.run({ minutes: 14 });
  expect(lines.filter((line) => line.startsWith("heartbeat counted"))).toHaveLength(3);
});

test("a machine that was asleep beats once when it wakes, not for each missed interval", async () => {
  const lines = await node.run({ minutes: 301, events: [[8, async () => clock.advance(240 * MINUTE)]] });
  // One before, one in the interval in which it wakes, and one in each of the three after that.
  expect(lines.filter((line) => line.includes("counted"))).toEqual(
    [1, 2, 3, 4, 5].map((beats) => expect.stringMatching(`^heartbeat counted · ${beats} heartbeat`)),
  );
});

/** Returns a clock that is ahead of the right time until a minute after the start. */
function startAhead(minutes: number) {
  let ahead = minutes * MINUTE;
  return { ahead: () => ahead, events: [[1, async () => void (ahead = 0)]] satisfies [number, () => Promise<void>][] };
}

test.each([10, DAY])("keeps beating after the clock is set back by %i minutes", async (minutes) => {
  const lines = await node.run({ minutes: 60, ...startAhead(minutes) });
  // Its first beat was in the future. Then it beats once in each interval, even in that of the start.
  expect(lines.filter((line) => line.startsWith("heartbeat refused"))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith("heartbeat counted"))).toHaveLength(4);
});

test("retries exactly when the server asked, even if the clock is set back in the meantime", async () => {
  const start = clock.now().getTime();
  const minutes: number[] = [];
  node.answer = async (request) => {
    if (!request.url.endsWith("/api/heartbeats")) return api.fetch(request);
    minutes.push((clock.now().getTime() - start) / MINUTE);
    const busy = { message: "Busy.", error: "UNAVAILABLE", statusCode: 503 };
    return Response.json(busy, { status: 503, headers: { "Retry-After": "3600" } });
  };
  await node.run({ minutes: 120, ...startAhead(DAY) });
  expect(minutes).toEqual([expect.closeTo(0, 0), expect.closeTo(61, 0)]);
});

test("gives up at an address that is not Nodebeat's", async () => {
  node.answer = async () => new Response("<!doctype html>", { status: 404, headers: { "Content-Type": "text/html" } });
  await expect(node.run({ minutes: 5 })).rejects.toMatchObject({ message: expect.stringContaining("404") });

  node.answer = async () => new Response(null, { status: 308, headers: { Location: "https://elsewhere.example/api" } });
  await expect(node.run({ minutes: 5 })).rejects.toMatchObject({
    message: expect.stringContaining("https://elsewhere.example"),
  });
});

test.each([
  [404, "<!doctype html>"],
  [403, JSON.stringify({ error: { reason: "blocked" } })],
  [401, "<!doctype html>"],
  [302, ""],
])("waits out a %i that is not from Nodebeat if it has beaten there before", async (status, body) => {
  const put = (answer: typeof node.answer) => async () => void (node.answer = answer);
  const lines = await node.run({
    minutes: 60,
    events: [
      [10, put(() => new Response(body, { status }))],
      [40, put(api.fetch)],
    ],
  });
  expect(lines).toContain(
    `${node.server.url} answered ${status}, which is not an answer from Nodebeat (1 waiting, next try in 1 s)`,
  );
  expect(lines.at(-1)).toBe("stopped");
  expect(await node.countHeartbeats()).toBe(4);
});

test("a 401 that is not from Nodebeat does not make it ask for another key", async () => {
  node.answer = (request) =>
    request.url.endsWith("/api/heartbeats")
      ? new Response("Sign in to the Wi-Fi", { status: 401 })
      : api.fetch(request);
  await expect(node.run({ minutes: 5 })).rejects.toMatchObject({
    message: `${node.server.url} answered 401, which is not an answer from Nodebeat`,
  });
  expect(await node.count("node_devices")).toBe(1);
});

test("a refusal from Nodebeat itself ends it, even if it has beaten there before", async () => {
  const refusal = { message: "Not from here.", error: "FORBIDDEN", statusCode: 403 };
  const refuse = async () => void (node.answer = () => Response.json(refusal, { status: 403 }));
  await expect(node.run({ minutes: 60, events: [[10, refuse]] })).rejects.toMatchObject({ message: "Not from here." });
});
