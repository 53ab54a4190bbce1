import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Hono, type Context } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import { createApiUnderTest, createAppUnderTest, html } from "../../../tests/support/servers/app-under-test.ts";
import { openRawClient, startUnderTest } from "../../../tests/support/servers/listen-under-test.ts";
import type { HttpEnv } from "../http-env.ts";

afterEach(() => vi.useRealTimers());

/** Serves pages that are finished when the test says so, behind a proxy that forwards the clients' addresses. */
function createSlowPages() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const { app } = createAppUnderTest({
    env: { trustedProxies: ["10.0.0.1"] },
    async pages(_, { clientAddress }) {
      begun.push(clientAddress);
      await new Promise<void>((resolve) => ends.push(resolve));
      return html("made");
    },
  });
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: "10.0.0.1" });
  const incoming = Object.assign(new IncomingMessage(socket), { rawHeaders: ["Host", "nodebeat.test"] });
  const ask = async (address: string, init: RequestInit = {}) =>
    app.request("http://nodebeat.test/faqs", { ...init, headers: { "x-forwarded-for": address } }, { incoming });
  return { ask, begun, ends };
}

test("renders two pages of a client concurrently; its others wait and hold up no other client", async () => {
  const { ask, begun, ends } = createSlowPages();
  // An IPv6 client has a whole network of addresses.
  const all = [...[1, 2, 3, 4, 5].map((host) => ask(`2001:db8::${host}`)), ask("192.0.2.2")];
  await expect.poll(() => begun).toEqual(["2001:db8::1", "2001:db8::2", "192.0.2.2"]);
  // The third page to finish belongs to the other client, so it lets nobody in.
  for (const count of [4, 5, 5, 6, 6, 6]) {
    ends.shift()?.();
    await expect.poll(() => begun.length).toBe(count);
  }
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
});

test("answers 429 to a client's pages beyond the queue limit, and still renders another client's", async () => {
  const { ask, begun, ends } = createSlowPages();
  const waiting = Array.from({ length: 1002 }, () => ask("192.0.2.1"));
  const refused = await ask("192.0.2.1");
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "2"]);
  const other = ask("192.0.2.2");
  await expect.poll(() => begun).toContain("192.0.2.2");
  const ending = setInterval(() => ends.shift()?.());
  expect((await other).status).toBe(200);
  expect((await Promise.all(waiting)).every(({ status }) => status === 200)).toBe(true);
  clearInterval(ending);
});

test("renders no page for a client that left while waiting, but still handles its form", async () => {
  const { ask, begun, ends } = createSlowPages();
  const leaving = new AbortController();
  const { signal } = leaving;
  const stay = () => ask("192.0.2.1");
  const leave = () => ask("192.0.2.1", { signal });
  // As many abandoned pages as a client has turns. If one kept its turn, the last page would wait forever.
  const pages = [stay(), stay(), leave(), leave(), stay()];
  const form = ask("192.0.2.1", { method: "POST", signal });
  await expect.poll(() => begun.length).toBe(2);
  leaving.abort();
  const ending = setInterval(() => ends.shift()?.());
  const statuses = (await Promise.all([...pages, form])).map(({ status }) => status);
  clearInterval(ending);
  expect([statuses, begun.length]).toEqual([[200, 200, 400, 400, 200, 200], 4]);
});

test("forms that arrive slowly do not hold up a page for the same address", async () => {
  const begun: string[] = [];
  const { drain, url } = await startUnderTest({
    async pages({ method }) {
      begun.push(method);
      return html("made");
    },
  });
  const slow = [await openRawClient(url), await openRawClient(url)];
  for (const { socket } of slow)
    socket.write(
      "POST /profile HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\nname",
    );
  // Once the server has answered a later request, it has these forms.
  await fetch(`${url}/healthz`);
  const page = fetch(`${url}/faqs`);
  await expect.poll(() => begun).toEqual(["GET"]);
  for (const { socket } of slow) socket.write("=Ada");
  await Promise.all([page, ...slow.map(({ closed }) => closed)]);
  expect(begun).toEqual(["GET", "POST", "POST"]);
  await drain(0);
});

test("calls that arrive slowly do not hold up another call from the same address", async () => {
  const api = createApiUnderTest();
  api.post("/api/echo", async (c) => c.text(await c.req.text()));
  const { drain, url } = await startUnderTest({ api });
  const slow = await Promise.all(Array.from({ length: 32 }, () => openRawClient(url)));
  for (const { socket } of slow)
    socket.write("POST /api/echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 8\r\n\r\nname");
  await fetch(`${url}/healthz`);
  const quick = await fetch(`${url}/api/echo`, { method: "POST", body: "at once" });
  expect(await quick.text()).toBe("at once");
  for (const { socket } of slow) socket.write("=Ada");
  const answers = await Promise.all(slow.map(({ closed }) => closed));
  // Had the quick one waited for them, their time for a request would have run out.
  expect(answers.filter((answer) => answer.endsWith("name=Ada"))).toHaveLength(32);
  await drain(0);
});

test("handles 32 calls of a client concurrently, on any route, and its others wait", async () => {
  let begun = 0;
  const ends: (() => void)[] = [];
  function work(c: Context) {
    begun += 1;
    return new Promise<Response>((resolve) => ends.push(() => resolve(c.text("done"))));
  }
  const paths = ["/api/slow", "/submissions/slow", "/status.json"];
  const api = createApiUnderTest();
  for (const path of paths) api.get(path, work);
  const share = new Hono<HttpEnv>().get("/share/slow", work);
  const { app } = createAppUnderTest({ api, share });
  const all = Array.from({ length: 9 }, () => ["/share/slow", ...paths]).flat();
  const answers = all.map(async (path) => (await app.request(path)).status);
  await expect.poll(() => begun).toBe(32);
  expect((await app.request("/faqs")).status).toBe(200);
  expect(begun).toBe(32);
  for (const count of [33, 34, 35, 36]) {
    ends.shift()?.();
    await expect.poll(() => begun).toBe(count);
  }
  for (const end of ends) end();
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
});

test.each([400, 404])("a client that keeps getting %i waits between its turns", async (status) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { app } = createAppUnderTest({ pages: async () => html("refused", { status }) });
  const answered: number[] = [];
  const ask = async () => {
    const response = await app.request("http://nodebeat.test/nothing");
    answered.push(response.status);
  };
  const all = [ask(), ask(), ask()];
  await vi.waitUntil(() => answered.length === 2, { interval: 0, timeout: 30_000 });
  await vi.advanceTimersByTimeAsync(249);
  expect(answered).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(all);
  expect(answered).toEqual([status, status, status]);
});

test("a turn rests for three times as long as its page took to render", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { ask, begun, ends } = createSlowPages();
  const begin = (count: number) => vi.waitUntil(() => begun.length === count, { interval: 0, timeout: 30_000 });
  const made = [ask("192.0.2.1"), ask("192.0.2.1")];
  const third = ask("192.0.2.1");
  await begin(2);
  vi.advanceTimersByTime(20);
  for (const end of ends.splice(0)) end();
  await Promise.all(made);
  await vi.advanceTimersByTimeAsync(59);
  expect(begun).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  await begin(3);
  ends.shift()?.();
  expect((await third).status).toBe(200);
});
