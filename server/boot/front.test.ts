import { afterEach, expect, onTestFinished, test } from "vitest";
import { createApiUnderTest, html } from "../../tests/support/servers/app-under-test.ts";
import { SILENT } from "../../tests/support/api/api.ts";
import { startUnderTest } from "../../tests/support/servers/listen-under-test.ts";
import { readMetricLines } from "../../tests/support/servers/measured-app.ts";
import { readEnv } from "../env.ts";
import { createBackendCheck } from "../http/check-backend.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { composeFront, createFrontBoard, isFront, watchBackend } from "./front.ts";

const open: Awaited<ReturnType<typeof startUnderTest>>[] = [];
afterEach(() => Promise.all(open.splice(0).map(({ drain }) => drain(0))));

type StartOptions = Parameters<typeof startUnderTest>[0];

/** Starts a backend on a socket, and an app in front of it. */
async function start(options: StartOptions = {}, settings: Record<string, string> = {}) {
  const backend = await startUnderTest(options);
  open.push(backend);
  const env = readEnv({ API_URL: backend.url, AUTH_API_KEY: "static-key", ...settings });
  if (!isFront(env)) throw new Error("API_URL is set");
  const [metrics, status] = [createMetrics(), createFrontBoard()];
  const app = composeFront({
    env,
    metrics,
    status,
    log: SILENT,
    // A page that requests a document and shows it.
    createPages:
      ({ openEmbedded }) =>
      async () =>
        html(
          await (
            await openEmbedded("").fetch(new Request("http://embedded.invalid/api/legal/documents?document=tos"))
          ).text(),
        ),
    staticFiles: new Map(),
    isLeaving: () => false,
    stopping: new AbortController().signal,
  });
  const ask = async (path: string, init?: RequestInit) => app.request(`http://front.test${path}`, init);
  const watch = () => watchBackend({ metrics, status }, createBackendCheck(env));
  return { ask, backend, watch };
}

/** Creates an API that answers with the request it got. */
function createEcho() {
  const api = createApiUnderTest();
  api.all("/api/*", async (c) =>
    c.json({ method: c.req.method, url: c.req.path, headers: c.req.header(), body: await c.req.text() }, 201, {
      "Set-Cookie": "theirs=1",
      "X-Auth-Event": "TOKEN_REFRESHED",
    }),
  );
  return api;
}

test("forwards calls with the caller's token and key, without our API key or the browser's cookie", async () => {
  const { ask } = await start({ api: createEcho() });
  const headers = {
    Authorization: "Bearer nbs_token",
    "Content-Type": "application/json",
    "X-Api-Key": "callers-key",
    "X-Device-Token": "device",
    Cookie: "nodebeat_session=1",
  };
  const response = await ask("/api/heartbeats", { method: "POST", headers, body: `{"beats":[]}` });
  const echo = await response.json();
  expect([response.status, response.headers.get("X-Auth-Event")]).toEqual([201, "TOKEN_REFRESHED"]);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(echo).toMatchObject({ method: "POST", url: "/api/heartbeats", body: `{"beats":[]}` });
  expect(echo.headers).toMatchObject({
    authorization: "Bearer nbs_token",
    "content-type": "application/json",
    "x-api-key": "callers-key",
    "x-device-token": "device",
  });
  expect(echo.headers).not.toHaveProperty("cookie");
  expect((await (await ask("/api/user")).json()).headers).not.toHaveProperty("x-api-key");
});

test("answers 400 and logs nothing if the request body breaks off", async () => {
  const { ask, backend } = await start({ api: createEcho() });
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("The sender has gone")) });
  const headers = { "Content-Type": "application/json", "Content-Length": "20" };
  const response = await ask("/api/heartbeats", { method: "POST", headers, body, duplex: "half" } as RequestInit);
  expect([response.status, await response.json()]).toMatchObject([400, { error: "BAD_REQUEST" }]);
  expect(backend.logged()).toEqual([]);
});

test("answers pages, their documents, QR codes and unknown paths without the backend", async () => {
  const { ask, backend } = await start({ api: createEcho() });
  expect(await (await ask("/faqs")).text()).toContain(`"sections"`);
  expect((await ask("/share/K7QX2/qr.svg")).status).toBe(200);
  expect((await ask("/api")).status).toBe(404);
  expect(backend.logged()).toEqual([]);
});

test("the policy of a page allows Turnstile, because the backend may use a key of its own", async () => {
  const { ask } = await start();
  const policy = (await ask("/faqs")).headers.get("Content-Security-Policy");
  for (const name of ["script-src 'self'", "frame-src"])
    expect(policy).toContain(`; ${name} https://challenges.cloudflare.com`);
});

const readiness = async (ask: Awaited<ReturnType<typeof start>>["ask"]) => {
  const response = await ask("/readyz");
  return [response.status, await response.json()];
};
const fine = async () => ({ ok: true }) as const;
const notReady = (detail: string) => [503, { status: "unavailable", reason: "backend", detail }];

test("is ready unless the backend is down, is not ready or refuses our key", async () => {
  const healthy = await start();
  expect(await readiness(healthy.ask)).toEqual([200, { status: "ok" }]);
  await healthy.backend.drain(0);
  expect(await readiness(healthy.ask)).toEqual(notReady("The API does not answer."));

  const leaving = await start({
    health: { reason: "database", check: fine, checkChain: fine, isLeaving: () => true },
  });
  expect(await readiness(leaving.ask)).toEqual(notReady("The API answers 503."));

  const api = createApiUnderTest();
  api.get("/api/auth/bot-check", (c) =>
    c.req.header("x-api-key") === "another-key"
      ? c.json({})
      : c.json({ message: "No", error: "INVALID_API_KEY", statusCode: 401 }, 401),
  );
  expect(await readiness((await start({ api })).ask)).toEqual(
    notReady("The API for authentication refuses AUTH_API_KEY."),
  );
  expect(await readiness((await start({ api }, { AUTH_API_KEY: "another-key" })).ask)).toEqual([200, { status: "ok" }]);
});

test("serves process and request metrics, but none of the database, to a caller with the token", async () => {
  const { ask } = await start({ api: createEcho() }, { METRICS_TOKEN: "of-the-metrics" });
  await ask("/api/user");
  expect((await ask("/metrics")).status).toBe(401);
  const page = await (await ask("/metrics", { headers: { Authorization: "Bearer of-the-metrics" } })).text();
  expect(page).toContain("nodejs_eventloop_lag_seconds");
  expect(page).toMatch(/nodebeat_http_request_duration_seconds_count\{[^}]*method="GET"[^}]*\} [1-9]/);
  // Nothing about the database, which is the backend's.
  expect(page).not.toMatch(/^nodebeat_(database_|replica_lag_|(oldest_)?held_)\S* \d/m);
});

test("reports the backend's readiness as a metric and on the status page", async () => {
  const { ask, backend, watch } = await start({}, { METRICS_TOKEN: "of-the-metrics" });
  const seen = async () => {
    const page = await (await ask("/metrics", { headers: { Authorization: "Bearer of-the-metrics" } })).text();
    return [readMetricLines(page, "ready"), (await (await ask("/status.json")).json()).state];
  };
  onTestFinished(watch());
  await expect.poll(seen).toEqual([['ready{part="backend"} 1'], "up"]);
  await backend.drain(0);
  onTestFinished(watch());
  await expect.poll(seen).toEqual([['ready{part="backend"} 0'], "down"]);
});
