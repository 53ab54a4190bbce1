import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createApiUnderTest, html } from "../../../tests/support/servers/app-under-test.ts";
import { createLog } from "../../log/log.ts";
import type { Listening } from "./listen.ts";
import { openRawClient, sendRaw, startUnderTest } from "../../../tests/support/servers/listen-under-test.ts";

const open: Listening[] = [];
afterEach(() => Promise.all(open.splice(0).map((listening) => listening.drain(0))));

const start = async (...options: Parameters<typeof startUnderTest>) => {
  const listening = await startUnderTest(...options);
  open.push(listening);
  return listening;
};

/**
 * Sends a request that is refused, and keeps its own side open. Returns a function that checks whether the server has
 * closed the connection.
 */
async function holdOn(url: string, request: string) {
  const address = { port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true };
  const socket = connect(address).on("error", () => {});
  socket.write(request);
  await once(socket, "data");
  return () => {
    socket.write("x");
    return socket.destroyed;
  };
}

const SOON = { timeout: 20_000 };

const POLICY = "Content-Security-Policy: default-src 'none'";

test.each([
  ["data that is not HTTP", "hello\r\n\r\n", 400],
  ["a broken header", "GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n", 400],
  ["endless headers", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ["an invalid host", "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
  ["a host that looks like an IP address", "GET /a HTTP/1.1\r\nHost: 1.2.3.4.5\r\nConnection: close\r\n\r\n", 400],
  ["a host that ends in a number", "GET / HTTP/1.1\r\nHost: a.1\r\nConnection: close\r\n\r\n", 400],
  ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400],
  ["two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
  ["an address with a backslash", "GET /\\evil HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400],
  ["an address without a slash", "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400],
  ["a NUL in the address", "GET /a%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400],
  ["TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405],
  ["CONNECT", "CONNECT db.internal:5432 HTTP/1.1\r\nHost: a\r\n\r\n", 405],
  ["an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ["an expectation we cannot meet", "GET / HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nConnection: close\r\n\r\n", 417],
  ["a probe with an escaped letter", "GET /%72eadyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404],
  ["a probe with dot segments", "GET /a/../healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404],
  ["a probe with an encoded dot segment", "GET /%2e/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404],
  ["a probe with a fragment", "GET /healthz#a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404],
  ["a probe with an absolute address", "GET http://a/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200],
  ["dots in an absolute address", "GET http://a/b/../healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404],
  ["a probe with a query", "GET /readyz?by=balancer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200],
  ["HTTP/1.0 without a host", "GET /healthz HTTP/1.0\r\n\r\n", 200],
])("answers %s with the security headers", async (_, request, status) => {
  const answer = await sendRaw((await start()).url, request);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.toLowerCase()).toContain(POLICY.toLowerCase());
});

test("an unreadable request logs nothing, so nobody can fill the log with it", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line: string) => lines.push(line) } });
  const { url } = await start({}, { log });
  for (const target of ["/ HTTP/1.1\r\nHost: a b", "/\\evil HTTP/1.1\r\nHost: a", "/ HTTP/1.1"])
    expect(await sendRaw(url, `GET ${target}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /);
  expect(lines).toEqual([]);
});

test("unreadable data after a request is not answered in the middle of the response", async () => {
  const page = new ReadableStream({ start: (made) => made.enqueue(Buffer.from("the beginning")) });
  const { url } = await start({ pages: async () => html(page) });
  const { socket, heard, closed } = await openRawClient(url);
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await heard("the beginning");
  socket.write("hello\r\n\r\n");
  expect((await closed).match(/^HTTP\/1.1 \d+/gm)).toEqual(["HTTP/1.1 200"]);
});

test("a reset after CONNECT does no harm, and a client that stays connected is disconnected", async () => {
  const { url } = await start();
  const tunnel = "CONNECT db.internal:5432 HTTP/1.1\r\nHost: a\r\n\r\n";
  const { socket, heard } = await openRawClient(url);
  socket.write(tunnel);
  await heard("405");
  socket.resetAndDestroy();

  const isGone = await holdOn(url, `${tunnel}and more`);
  await expect.poll(isGone, SOON).toBe(true);
});

test("answers 408 to a client that sends its headers too slowly", async () => {
  const { url } = await start({}, { timeouts: { headers: 60, request: 5_000, check: 20 } });
  const answer = await sendRaw(url, "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ");
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(answer).toContain(POLICY);
});

test("answers 408 to a client that sends its body too slowly, with or without a length", async () => {
  const api = createApiUnderTest();
  api.post("/api/echo", async (c) => c.json(await c.req.json()));
  const { url } = await start({ api }, { timeouts: { headers: 60, request: 80, check: 20 } });
  const head = "POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
  const answers = await Promise.all([
    sendRaw(url, `${head}Content-Length: 20\r\n\r\n{"a":`),
    sendRaw(url, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n`),
  ]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 408 /);
});

test.each([
  ["headers", "X-Slow: "],
  ["body", "Content-Length: 1000\r\n\r\nx"],
])("disconnects a client that sends its %s too slowly, even if it keeps its side open", async (_, rest) => {
  const api = createApiUnderTest();
  api.post("/api/echo", async (c) => c.json(await c.req.json()));
  const { url } = await start({ api }, { timeouts: { headers: 60, request: 80, check: 20 } });
  const isGone = await holdOn(url, `POST /api/echo HTTP/1.1\r\nHost: a\r\n${rest}`);
  await expect.poll(isGone, SOON).toBe(true);
});

test("closes an idle connection", async () => {
  const { url } = await start({}, { timeouts: { keepAlive: 1 } });
  expect(await sendRaw(url, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
});

test("rejects a body over the limit while it arrives, and the client can read why", async () => {
  const { url } = await start();
  const { socket, closed } = await openRawClient(url);
  socket.write("POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  const chunk = "x".repeat(16 * 1024);
  for (let i = 0; i < 6; i++) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  const answer = await closed;
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(answer).toContain("PAYLOAD_TOO_LARGE");
});

const inChunks = (body: string) =>
  `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

const echo = async (request: Request) => html(JSON.stringify(Object.fromEntries(await request.formData())));

test("a form reaches its action in every encoding that a client may use", async () => {
  const { url } = await start({ pages: echo });
  const head = "POST /profile HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
  const fields = "Content-Type: application/x-www-form-urlencoded\r\n";
  const parts = "Content-Type: multipart/form-data; boundary=x\r\n";
  const part = `--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--x--\r\n`;

  const ada = `{"name":"Ada"}`;
  expect(await sendRaw(url, `${head}${fields}Content-Length: 8\r\n\r\nname=Ada`)).toContain(ada);
  expect(await sendRaw(url, `${head}${fields}${inChunks("name=Ada")}`)).toContain(ada);
  expect(await sendRaw(url, `${head}${parts}Content-Length: ${part.length}\r\n\r\n${part}`)).toContain(ada);
  expect(await sendRaw(url, `${head}${parts}${inChunks(part)}`)).toContain(ada);
  expect(await sendRaw(url, `${head}\r\n`)).toMatch(/^HTTP\/1.1 200 [^]*\r\n\r\n\{\}$/);
  expect(await sendRaw(url, `${head}${parts}Content-Length: 7\r\n\r\ngarbage`)).toMatch(/^HTTP\/1.1 400 /);
});

test("sends each cookie of a response in its own header", async () => {
  const headers = new Headers();
  headers.append("Set-Cookie", "a=1");
  headers.append("Set-Cookie", "b=2");
  const { url } = await start({ pages: async () => html("ok", { headers }) });
  const answer = await sendRaw(url, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(answer.match(/^set-cookie: .*$/gim)).toHaveLength(2);
});

test("draining finishes running requests, closes their connections and accepts nothing new", async () => {
  const work = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const pages = async () => {
    started.resolve();
    await work.promise;
    return html("<h1>Done</h1>");
  };
  const { url, drain } = await start({ pages });
  const idle = await openRawClient(url);
  idle.socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  await idle.heard(`{"status":"ok"}`);
  const silent = await openRawClient(url);
  const busy = await openRawClient(url);
  busy.socket.write("GET /dashboard HTTP/1.1\r\nHost: a\r\n\r\n");
  await started.promise;

  const drained = drain(60_000);
  await idle.closed;
  await silent.closed;
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  work.resolve();
  const answer = await busy.closed;
  expect(answer).toMatch(/^connection: close$/im);
  expect(answer).toContain("<h1>Done</h1>");
  expect(await drained).toBe(true);
});

test("a leaving server still answers, with Connection: close, and for a moment while draining too", async () => {
  const { url, leave, drain } = await start();
  const ask = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  const clients = [await openRawClient(url), await openRawClient(url)];
  for (const { socket, heard } of clients) {
    socket.write(ask);
    await heard(`{"status":"ok"}`);
  }
  const [early, late] = clients;
  leave();
  expect(await sendRaw(url, ask)).toMatch(/^HTTP\/1.1 200 [^]*^connection: close$/im);
  early?.socket.write(ask);
  expect(await early?.closed).toMatch(/200 OK[^]*200 OK[^]*^connection: close$/im);

  const drained = drain(60_000);
  late?.socket.write(ask);
  expect(await late?.closed).toMatch(/200 OK[^]*200 OK[^]*^connection: close$/im);
  expect(await drained).toBe(true);
});

test("draining gives up on a request that does not end in time", async () => {
  const started = Promise.withResolvers<void>();
  const pages = () => {
    started.resolve();
    return new Promise<Response>(() => {});
  };
  const { url, drain } = await start({ pages });
  const busy = await openRawClient(url);
  busy.socket.write("GET /dashboard HTTP/1.1\r\nHost: a\r\n\r\n");
  await started.promise;
  expect(await drain(20)).toBe(false);
  expect(await busy.closed).toBe("");
});

test("reports a port that is in use, and which setting to change", async () => {
  const { url } = await start();
  const port = Number(new URL(url).port);
  await expect(start({}, { port })).rejects.toThrow(`Port ${port} is in use already: set PORT to another one.`);
});

test("reports an address that this machine does not have, and which settings to check", async () => {
  const said = /^Cannot listen on 192\.0\.2\.1, port 0: .*EADDRNOTAVAIL.*\. Check HOST and PORT\.$/;
  await expect(start({}, { host: "192.0.2.1" })).rejects.toThrow(said);
});

test("returns a URL that can be opened", async () => {
  expect((await start({}, { host: "0.0.0.0" })).url).toMatch(/^http:\/\/localhost:\d+$/);
  expect((await start()).url).toMatch(/^http:\/\/127.0.0.1:\d+$/);
});
