import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { connect, type ClientHttp2Session, type IncomingHttpHeaders as Http2Headers } from "node:http2";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveLocally } from "../support/servers/serve-locally.ts";
import { startApp, type RunningApp } from "../support/servers/start-app.ts";
import { hasHaproxy, startProxyOf, type Proxy } from "./proxies.ts";

/*
 * Tests the proxy of deploy/, with Debian's HAProxy, in front of a whole server: everything it is for must get through.
 * Also in front of a server that reports what it received.
 */

let app: RunningApp;
let proxy: Proxy;
let mirror: Awaited<ReturnType<typeof startMirror>>;
let session: ClientHttp2Session;

beforeAll(async () => {
  if (!hasHaproxy) return;
  app = await startApp();
  const port = Number(new URL(app.url).port);
  proxy = await startProxyOf("shipped", [port, port]);
  session = await openSession(proxy);
  mirror = await startMirror();
});
afterAll(async () => {
  if (!hasHaproxy) return;
  await closeSession(session);
  await Promise.all([proxy.stop(), mirror.stop()]);
  await app.close();
});

async function openSession({ url, ca }: Proxy): Promise<ClientHttp2Session> {
  const opened = connect(url, { ca });
  await once(opened, "connect");
  // What a session reports after its last response concerns no request.
  return opened.on("error", () => {});
}

/** Closes a session before its proxy stops, which may reset the connection. */
async function closeSession(opened: ClientHttp2Session) {
  if (opened.destroyed) return;
  const closed = once(opened, "close");
  opened.close();
  await closed;
}

/** Starts a server that answers everything, records the requests, and says whether it is ready. */
async function startMirror(readiness = 200) {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers, url }, response) => {
    if (url !== "/readyz") asked.push(headers);
    response.writeHead(url === "/readyz" ? readiness : 200).end("ok");
  });
  const { port, close } = await serveLocally(server);
  const before = await startProxyOf("shipped", [port, port]);
  async function stop() {
    await before.stop();
    await close();
  }
  return { asked, proxy: before, close, stop };
}

type Answer = { status: number | undefined; headers: Http2Headers; body: string };

async function ask(over: ClientHttp2Session, path: string, headers = {}, body?: string): Promise<Answer> {
  const stream = over.request({ ":path": path, ...(body !== undefined && { ":method": "POST" }), ...headers });
  const answered = once(stream, "response");
  stream.end(body);
  const [said] = (await answered) as [Http2Headers & { ":status"?: number }];
  return { status: said[":status"], headers: said, body: await text(stream) };
}

test.skipIf(!hasHaproxy)(
  "serves a page over HTTP/2, with the application's security policy and the request's id",
  async () => {
    const { body, headers, status } = await ask(session, "/auth");
    expect(status).toBe(200);
    expect(body).toContain("<!DOCTYPE html>");
    expect(headers["content-security-policy"]).toContain("nonce-");
    expect(headers["x-request-id"]).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    await expect.poll(() => app.log()).toContain(`"requestId":"${String(headers["x-request-id"])}"`);
    await expect.poll(() => proxy.output()).toContain(`/auth ${String(headers["x-request-id"])}`);
  },
);

test.skipIf(!hasHaproxy)("streams events as they happen", async () => {
  const { token, userId } = await app.seed.member({});
  const stream = session.request({ ":path": "/api/events", authorization: `Bearer ${token}` });
  let heard = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => (heard += chunk));
  const countEvents = () => heard.split("\ndata: ").length - 1;
  await expect.poll(countEvents).toBeGreaterThan(0);
  const before = countEvents();
  await app.seed.beat(userId, [new Date().toISOString()]);
  await expect.poll(countEvents).toBeGreaterThan(before);
  stream.close();
});

test.skipIf(!hasHaproxy)("does not pass on a client's forwarding, request ID and trace headers", async () => {
  const over = await openSession(mirror.proxy);
  const claimed = {
    "x-forwarded-for": "203.0.113.7",
    "x-request-id": "claimed-by-the-client",
    forwarded: "for=203.0.113.7",
  };
  await ask(over, "/", { ...claimed, traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" });
  await closeSession(over);
  const [headers] = mirror.asked;
  expect(headers).toMatchObject({ "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https" });
  expect(headers?.["x-request-id"]).toMatch(/^[\da-f]{8}-/);
  expect(headers?.forwarded).toBeUndefined();
  expect(headers?.traceparent).toBeUndefined();
});

test.skipIf(!hasHaproxy)("the application itself rejects requests that are too large", async () => {
  const json = { "content-type": "application/json" };
  const tooLong = await ask(session, "/api/login", json, JSON.stringify({ email: "a".repeat(70_000) }));
  expect([tooLong.status, tooLong.body]).toEqual([413, expect.stringContaining('"statusCode":413')]);
  const address = await ask(session, `/faqs?${"a".repeat(9_000)}`, { accept: "application/json" });
  expect(address.status).toBe(414);
  const header = await ask(session, "/faqs", { "x-much": "a".repeat(14_000) });
  expect(header.status).toBe(200);
});

test.skipIf(!hasHaproxy)("the state and the metrics are not public", async () => {
  const paths = ["/readyz", "/metrics", "/%72eadyz", "/a/../readyz", "/%2e/healthz", "/%6detrics"];
  for (const path of paths) expect([path, (await ask(session, path)).status]).toEqual([path, 404]);
});

test.skipIf(!hasHaproxy)("a page finds out whether a process answers", async () => {
  expect((await ask(session, "/healthz")).status).toBe(200);
  const gone = await startMirror();
  await gone.close();
  const over = await openSession(gone.proxy);
  expect((await ask(over, "/healthz")).status).toBeGreaterThanOrEqual(500);
  await closeSession(over);
  await gone.proxy.stop();
});

test.skipIf(!hasHaproxy)("plain HTTP redirects pages to HTTPS, and rejects API calls", async () => {
  const page = await fetch(`${proxy.httpUrl}/faqs`, { redirect: "manual" });
  expect([page.status, page.headers.get("location")?.startsWith("https://localhost")]).toEqual([308, true]);
  for (const path of ["/api/user", "/read/stats", "/submissions/campaigns"]) {
    expect((await fetch(proxy.httpUrl + path, { redirect: "manual" })).status).toBe(403);
  }
});

test.skipIf(!hasHaproxy)(
  "forwards requests even if no process is ready, so that the application can say why",
  async () => {
    const unready = await startMirror(503);
    const over = await openSession(unready.proxy);
    await expect.poll(() => unready.proxy.output()).toMatch(/web-2 is DOWN/);
    expect(await ask(over, "/faqs")).toMatchObject({ status: 200, body: "ok" });
    await closeSession(over);
    await unready.stop();
  },
);

test.skipIf(!hasHaproxy)("while two versions run, a script comes from the process that has it", async () => {
  const asked: string[] = [];
  const listening = [404, 200].map((status) => {
    const server = createServer(({ url = "" }, response) => {
      if (url !== "/readyz") asked.push(url);
      response.writeHead(url === "/readyz" ? 200 : status).end();
    });
    return serveLocally(server);
  });
  const servers = await Promise.all(listening);
  const between = await startProxyOf(
    "shipped",
    servers.map(({ port }) => port),
  );
  const over = await openSession(between);
  const statuses = async (path: string, body?: string) =>
    [await ask(over, path, {}, body), await ask(over, path, {}, body)].map(({ status }) => status);
  expect(await statuses("/assets/rewards.js")).toEqual([200, 200]);

  // Anything else that one of them lacks, and any request with a body, goes to one of them only.
  for (const [path, body] of [
    ["/faqs", undefined],
    ["/assets/rewards.js", "sent"],
  ] as const) {
    asked.length = 0;
    expect(new Set(await statuses(path, body))).toEqual(new Set([200, 404]));
    expect(asked).toEqual([path, path]);
  }
  await closeSession(over);
  await between.stop();
  for (const { close } of servers) await close();
});
