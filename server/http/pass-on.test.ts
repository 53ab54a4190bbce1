import { afterEach, expect, test, vi } from "vitest";
import { createApiUnderTest, createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";
import { openRawClient, startUnderTest } from "../../tests/support/servers/listen-under-test.ts";
import { startProxy } from "../../tests/support/servers/proxy.ts";
import { forwardToBackend } from "./pass-on.ts";

const open: Awaited<ReturnType<typeof startUnderTest>>[] = [];
afterEach(() => Promise.all(open.splice(0).map(({ drain }) => drain(0))));

async function listen(options: Parameters<typeof startUnderTest>[0]) {
  const server = await startUnderTest(options);
  open.push(server);
  return server;
}

/** Creates an API that responds with the request that it got. */
function createEcho(said: Record<string, string> = {}) {
  const api = createApiUnderTest();
  api.all("*", async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const body = await c.req.text();
    return c.json({ method: c.req.method, url: pathname + search, headers: c.req.header(), body }, 201, said);
  });
  return api;
}

/** Starts a backend on a socket, and an app that passes calls on to it. */
async function start(api = createEcho()) {
  const backend = await listen({ api });
  const { app, logged } = createAppUnderTest({ api: forwardToBackend({ apiUrl: backend.url }) });
  return { ask: async (path: string, init?: RequestInit) => app.request(path, init), backend, logged };
}

test("passes a call on unchanged, with the caller's own token and key", async () => {
  const { ask } = await start();
  const headers = {
    Authorization: "Bearer nbs_token",
    "Content-Type": "application/json",
    "X-Api-Key": "callers-key",
    "X-Device-Token": "device",
  };
  const response = await ask("/api/heartbeats?dry=1", { method: "POST", headers, body: `{"beats":[]}` });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({
    method: "POST",
    url: "/api/heartbeats?dry=1",
    body: `{"beats":[]}`,
    headers: {
      authorization: "Bearer nbs_token",
      "content-type": "application/json",
      "x-api-key": "callers-key",
      "x-device-token": "device",
    },
  });
  const without = await (await ask("/api/user")).json();
  expect([without.method, without.body]).toEqual(["GET", ""]);
  expect(without.headers).not.toHaveProperty("x-api-key");
  expect(without.headers).not.toHaveProperty("content-type");
});

// The connection to the backend has its own values for some of these headers.
test.each([
  "Connection",
  "Keep-Alive",
  "Proxy-Authorization",
  "TE",
  "Trailer",
  "Transfer-Encoding",
  "Upgrade",
  "Host",
  "Content-Length",
  "Accept-Encoding",
  "If-Range",
  "Expect",
  "Cookie",
  "Origin",
  "Referer",
  "Sec-Fetch-Site",
  "Sec-Fetch-Mode",
  "Forwarded",
  "X-Forwarded-For",
  "X-Forwarded-Proto",
  "X-Real-IP",
  "X-Client-IP",
  "True-Client-IP",
  "CF-Connecting-IP",
  "Traceparent",
  "Tracestate",
  "Baggage",
])("does not pass on %s, which concerns only this hop or which anyone can forge", async (name) => {
  const { ask } = await start();
  const { headers } = await (await ask("/api/user", { headers: { [name]: "of-the-caller" } })).json();
  expect(Object.values(headers)).not.toContain("of-the-caller");
});

test.each(["X-Cookie", "Hosting", "X-Te", "Seconds", "X-Requested-By"])("passes on the header %s", async (name) => {
  const { ask } = await start();
  const { headers } = await (await ask("/api/user", { headers: { [name]: "of-the-caller" } })).json();
  expect(headers[name.toLowerCase()]).toBe("of-the-caller");
});

test("tells the backend the client's address, the request id of our log and the trace of our proxy", async () => {
  const backend = await listen({ api: createEcho() });
  const front = await listen({
    env: { trustedProxies: ["127.0.0.1"] },
    api: forwardToBackend({ apiUrl: backend.url }),
  });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const headers = { "X-Forwarded-For": "198.51.100.7", "X-Request-Id": "of-a-stranger", traceparent };
  const response = await fetch(`${front.url}/api/user`, { headers });
  const echo = await response.json();
  expect(echo.headers["x-forwarded-for"]).toBe("198.51.100.7");
  expect(echo.headers.traceparent).toBe(traceparent);
  expect(echo.headers["x-request-id"]).toBe(front.logged()[0]?.requestId);
});

test("returns the response's own headers, but not its cookies or connection headers", async () => {
  const said = {
    Age: "12",
    Allow: "POST",
    "Cache-Control": "private",
    "Content-Disposition": "attachment",
    "Content-Type": "application/problem+json",
    ETag: '"1"',
    "Last-Modified": "Wed, 25 Nov 2026 00:00:00 GMT",
    "Retry-After": "7",
    "WWW-Authenticate": "Bearer",
    "X-Accel-Buffering": "no",
    "X-Auth-Event": "TOKEN_REFRESHED",
  };
  const { ask } = await start(createEcho({ ...said, "Set-Cookie": "theirs=1", Server: "theirs", "Keep-Alive": "5" }));
  const { headers } = await ask("/api/user");
  for (const [name, value] of Object.entries(said)) expect([name, headers.get(name)]).toEqual([name, value]);
  expect(headers.getSetCookie()).toEqual([]);
  for (const name of ["Server", "Keep-Alive"]) expect(headers.has(name)).toBe(false);
});

test.each(["Origin", "Origin, Accept-Encoding"])(
  "adds Accept-Encoding once to the backend's Vary: %s",
  async (Vary) => {
    const { ask } = await start(createEcho({ "Cache-Control": "max-age=60", Vary }));
    expect((await ask("/api/user")).headers.get("Vary")).toBe("Origin, Accept-Encoding");
  },
);

test.each([
  ["gzip", "gzip", `W/"1"`],
  ["identity", null, `"1"`],
])("sent as %s, the ETag is strong only if the bytes are the backend's", async (accepted, encoding, tag) => {
  const backend = await listen({ api: createEcho() });
  const gateway = await startProxy(backend.url, ({ reply }) =>
    reply.writeHead(200, { "Content-Type": "application/json", ETag: `"1"` }).end(`"${"x".repeat(2000)}"`),
  );
  const { app } = createAppUnderTest({ api: forwardToBackend({ apiUrl: gateway.url }) });
  const { headers } = await app.request("/api/list", { headers: { "Accept-Encoding": accepted } });
  expect([headers.get("Content-Encoding"), headers.get("ETag")]).toEqual([encoding, tag]);
  await gateway.close();
});

test("does not ask the backend for a range, because the response may be compressed here", async () => {
  const api = createApiUnderTest();
  api.get("/api/log", (c) =>
    c.req.header("range") ? c.text("a part", 206, { "Content-Range": "bytes 0-5/9" }) : c.text("all of the log"),
  );
  const { ask } = await start(api);
  const response = await ask("/api/log", { headers: { Range: "bytes=0-5" } });
  expect([response.status, await response.text()]).toEqual([200, "all of the log"]);
});

test("sends auth calls to the auth backend, even if its address ends with a slash", async () => {
  const [backend, auth] = await Promise.all([listen({ api: createApiUnderTest() }), listen({ api: createEcho() })]);
  const { app } = createAppUnderTest({ api: forwardToBackend({ apiUrl: backend.url, authApiUrl: `${auth.url}/` }) });
  const login = await app.request("/api/login", { method: "POST" });
  expect((await login.json()).url).toBe("/api/login");
  expect((await app.request("/api/user")).status).toBe(404);
});

test("passes on a content platform's calls, and no path that is not a call", async () => {
  const { ask, backend } = await start();
  expect((await (await ask("/submissions/user")).json()).url).toBe("/submissions/user");
  const before = backend.logged().length;
  for (const path of ["/api", "/apis/user", "/submissions", "/about/api/user"]) await ask(path);
  expect(backend.logged()).toHaveLength(before);
});

test("ends and logs an event stream of the backend that breaks off", async () => {
  const backend = await listen({ api: createEcho() });
  const gateway = await startProxy(backend.url, ({ reply }) =>
    reply.writeHead(200, { "Content-Type": "text/event-stream" }).write(":\n\n", () => reply.destroy()),
  );
  const stopping = new AbortController().signal;
  const { app, logged } = createAppUnderTest({ api: forwardToBackend({ apiUrl: gateway.url }), stopping });
  expect(await (await app.request("/api/events")).text()).toBe(":\n\n");
  expect(logged()).toContainEqual(expect.objectContaining({ msg: "a stream of events broke off" }));
  await gateway.close();
});

const BUSY = { error: "UNAVAILABLE", message: "The service is busy. Please try again in a moment.", statusCode: 503 };

test("answers 503 with Retry-After if the backend is down, and logs why", async () => {
  const { ask, backend, logged } = await start();
  await backend.drain(0);
  const response = await ask("/api/user");
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await response.json()).toMatchObject(BUSY);
  expect(logged()).toContainEqual(expect.objectContaining({ msg: "the backend did not answer a call" }));
});

test("logs no error if the client leaves before the backend answers", async () => {
  const leaving = new AbortController();
  const api = createApiUnderTest();
  api.get("/api/user", () => {
    leaving.abort();
    return new Promise<Response>(() => {});
  });
  const { ask, logged } = await start(api);
  expect((await ask("/api/user", { signal: leaving.signal })).status).toBe(400);
  expect(logged().filter(({ level }) => level !== "info")).toEqual([]);
});

test("cancels a file at the backend when its reader leaves, without an error", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const api = createApiUnderTest();
  const source: UnderlyingSource = { start: (rows) => rows.enqueue(Buffer.from("a row")), cancel: () => end() };
  const headers = { "Content-Type": "text/csv", "Content-Disposition": "attachment" };
  api.get("/api/log", () => new Response(new ReadableStream(source), { headers }));
  const backend = await listen({ api });
  const front = await listen({ api: forwardToBackend({ apiUrl: backend.url }) });
  const { heard, socket } = await openRawClient(front.url);
  socket.write("GET /api/log HTTP/1.1\r\nHost: a\r\n\r\n");
  await heard("a row");
  socket.destroy();
  await ended;
  expect(said).not.toHaveBeenCalled();
});

test("sends no Content-Length for HEAD", async () => {
  const { headers, status } = await (await start()).ask("/api/user", { method: "HEAD" });
  expect([status, headers.get("Content-Length")]).toEqual([201, null]);
});

test("does not follow a backend's redirect with the caller's token", async () => {
  const elsewhere = await listen({ api: createEcho() });
  const api = createApiUnderTest();
  api.get("/api/user", (c) => c.redirect(`${elsewhere.url}/api/user`));
  const { ask } = await start(api);
  const response = await ask("/api/user", { headers: { Authorization: "Bearer nbs_token" } });
  expect([response.status, await response.json()]).toEqual([503, expect.objectContaining(BUSY)]);
  expect(elsewhere.logged()).toEqual([]);
});
