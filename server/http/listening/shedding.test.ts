import { afterEach, expect, test, vi } from "vitest";
import { createApiUnderTest, html } from "../../../tests/support/servers/app-under-test.ts";
import { sendRaw, startUnderTest } from "../../../tests/support/servers/listen-under-test.ts";
import { createLog } from "../../log/log.ts";
import { measureLag } from "./event-loop-lag.ts";
import type { Listening } from "./listen.ts";

const open: Listening[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((listening) => listening.drain(0)));
});

/** How many requests must be running before any is refused. */
const LOAD = 64;
/** A prefix of addresses that all belong to one client, as with IPv6. */
const CROWD = "2001:db8::";
const trustedProxies = ["127.0.0.1"];

type Asked = { client?: string; headers?: string };

const ask = (path: string, { client = "10.2.0.1", headers = "" }: Asked = {}) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\nConnection: close\r\n${headers}\r\n`;

/**
 * Starts a server with so many calls running (four of one client, the others of one client each) and the given delays.
 */
async function startBusy({ underWay = LOAD, lag = 0, waiting = 0, databaseWait = 0 } = {}) {
  const state = { lag: 0, databaseWait: 0 };
  const door = Promise.withResolvers<void>();
  let begun = 0;
  const api = createApiUnderTest();
  api.get("/api/slow", async (c) => {
    begun += 1;
    await door.promise;
    return c.text("done");
  });
  const onShed = vi.fn<() => void>();
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line: string) => lines.push(line) } });
  const listening = await startUnderTest(
    { api, env: { trustedProxies }, pages: async () => html("here it is") },
    {
      log,
      trustedProxies,
      onShed,
      countWaiting: () => waiting,
      lag: () => state.lag,
      databaseWait: () => state.databaseWait,
    },
  );
  open.push(listening);
  const { url } = listening;
  const slow = Array.from({ length: underWay }, (_, index) =>
    sendRaw(url, ask("/api/slow", { client: index < 4 ? `${CROWD}${index + 1}` : `10.1.0.${index}` })),
  );
  await expect.poll(() => begun).toBe(underWay);
  Object.assign(state, { lag, databaseWait });
  async function letGo() {
    door.resolve();
    return Promise.all(slow);
  }
  return { asks: (path: string, asked?: Asked) => sendRaw(url, ask(path, asked)), letGo, lines, onShed, state };
}

const served = /^HTTP\/1.1 200 /;
const refused = /^HTTP\/1.1 503 [^]*Retry-After: 2\r\n/;

test("refuses nothing while the event loop and the database keep up, however many requests are running", async () => {
  const { asks, letGo, onShed } = await startBusy({ underWay: 2 * LOAD, lag: 15, databaseWait: 400 });
  expect(await asks("/", { client: CROWD })).toMatch(served);
  for (const answer of await letGo()) expect(answer).toMatch(served);
  expect(onShed).not.toHaveBeenCalled();
});

test("refuses nothing while few requests are running, however far behind it is", async () => {
  const { asks, letGo } = await startBusy({ underWay: LOAD - 1, lag: 5_000, databaseWait: 5_000 });
  expect(await asks("/", { client: CROWD })).toMatch(served);
  await letGo();
});

test("sign-ins that wait for their turn do not count as running requests", async () => {
  const { asks, letGo } = await startBusy({ underWay: LOAD + 15, waiting: 16, lag: 5_000 });
  expect(await asks("/")).toMatch(served);
  await letGo();
  const loaded = await startBusy({ underWay: LOAD + 16, waiting: 16, lag: 5_000 });
  expect(await loaded.asks("/")).toMatch(refused);
  await loaded.letGo();
});

test("refuses a client with more than its share of running requests first", async () => {
  const { asks, letGo, onShed } = await startBusy({ lag: 30 });
  expect(await asks("/", { client: CROWD })).toMatch(refused);
  expect(await asks("/")).toMatch(served);
  await letGo();
  expect(onShed).toHaveBeenCalledTimes(1);
});

test("an answered request no longer counts as running, and the rest still do", async () => {
  const { asks, letGo, state } = await startBusy({ underWay: LOAD + 4 });
  // These requests finish one after another.
  for (let count = 0; count < 3; count += 1) expect(await asks("/", { client: CROWD })).toMatch(served);
  for (let count = 0; count < 4; count += 1) expect(await asks("/", { client: "10.3.0.1" })).toMatch(served);
  state.lag = 30;
  expect(await asks("/", { client: CROWD })).toMatch(refused);
  expect(await asks("/", { client: "10.3.0.1" })).toMatch(served);
  await letGo();
});

test("refuses every client while the event loop is far behind, until fewer requests are running", async () => {
  const { asks, letGo } = await startBusy({ lag: 50 });
  expect(await asks("/")).toMatch(refused);
  await letGo();
  expect(await asks("/", { client: CROWD })).toMatch(served);
});

test("refuses every client while a new request would wait long for the database", async () => {
  const { asks, letGo, state } = await startBusy({ databaseWait: 401 });
  expect(await asks("/")).toMatch(refused);
  state.databaseWait = 399;
  expect(await asks("/", { client: CROWD })).toMatch(served);
  await letGo();
});

test("a refusal says why as JSON, as a page or as text, with the headers of every response", async () => {
  const { asks, letGo } = await startBusy({ lag: 50 });
  const call = await asks("/api/user");
  for (const answer of [call, await asks("/status.json?at=1"), await asks("http://a/api/user")]) {
    expect(answer).toContain("Content-Type: application/json");
    expect(answer).toContain('"error":"UNAVAILABLE","statusCode":503');
  }
  const page = await asks("/dashboard", { headers: "Accept: text/html\r\n" });
  expect(page).toContain("<h1>The service is busy. Please try again in a moment.</h1>");
  expect(page).not.toContain("undefined");
  expect(await asks("/read/stats")).toMatch(/\r\n\r\nThe service is busy. Please try again in a moment.\n$/);
  for (const answer of [call, page]) {
    expect(answer).toContain("Content-Security-Policy: default-src 'none'");
    expect(answer).toContain("Cache-Control: no-store");
  }
  await letGo();
});

const always = ["/healthz", "/readyz", "/metrics", "/live", "/api/events", "/assets/a.js"];

test.each([...always, "/healthz?by=balancer", "http://a/healthz"])("answers %s even when overloaded", async (path) => {
  const { asks, letGo } = await startBusy({ lag: 5_000 });
  expect(await asks(path)).not.toMatch(refused);
  await letGo();
});

test("refuses a path that only starts like one that is always answered", async () => {
  const { asks, letGo } = await startBusy({ lag: 50 });
  const others = ["/healthz-of-mine", "/lively", "/api/eventsource"];
  const pages = ["/assets/../", "/assets/%2e%2e/auth", "/assets/a.js/../../auth", "/assets/..\\auth"];
  for (const path of [...others, ...pages]) expect(await asks(path)).toMatch(refused);
  await letGo();
});

test("logs once how many requests were refused and why, even if the overload is over by then", async () => {
  const { asks, letGo, lines, state } = await startBusy({ databaseWait: 450 });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  for (let count = 0; count < 3; count += 1) await asks("/");
  state.databaseWait = 0;
  vi.advanceTimersByTime(1_000);
  expect(lines.filter((line) => line.includes("too much to do"))).toEqual([
    expect.stringMatching(/"requests":3,.*"databaseWait":450\b/),
  ]);
  await letGo();
});

test("the event loop is behind during a long turn, until the next turn was short", () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  let at = 0;
  const lag = measureLag(() => at);
  at = 120;
  expect(lag()).toBe(100);
  vi.advanceTimersByTime(20);
  at = 121;
  expect(lag()).toBe(100);
  at = 140;
  vi.advanceTimersByTime(20);
  expect(lag()).toBe(0);
});
