import { execFile } from "node:child_process";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { html } from "../../tests/support/servers/app-under-test.ts";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { BARE_ENV } from "../../tests/support/servers/bare-env.ts";
import { QUICK_EXIT } from "../../tests/support/servers/quick-engine.ts";
import { startCollector } from "../../tests/support/servers/trace-collector.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { compose } from "../boot/compose.ts";
import { AppError } from "../errors.ts";
import { openTracer as openOtlp } from "./otlp.ts";
import { inSpan, within } from "./spans.ts";
import { openTracer } from "./tracer.ts";

const database = await createTestDatabase();
const collector = await startCollector();
beforeEach(() => database.reset());
afterEach(() => collector.reset());
afterAll(async () => {
  await collector.stop();
  await database.close();
});

/** Starts a server whose only page reads the member, and reads what it sends to the collector. */
async function open() {
  const { deps } = createTestApi(database, { env: { trustedProxies: ["10.0.0.0/8"] } });
  const { token, user } = await seedMember(deps, { email: "ada.lovelace@nodebeat.test" });
  const headers = { authorization: `Bearer ${token}` };
  const tracer = await openTracer(collector.url);
  const app = compose({
    deps,
    database,
    tracer,
    createPages:
      ({ openEmbedded }) =>
      async (_, { clientAddress, onRoute }) => {
        onRoute("/profile");
        await openEmbedded(clientAddress).fetch(new Request("http://embedded.invalid/api/user", { headers }));
        return html("<h1>Profile</h1>");
      },
    staticFiles: new Map(),
    isLeaving: () => false,
    stopping: new AbortController().signal,
  });

  async function ask(path: string, sent: Record<string, string> = {}, peer = "10.0.0.1") {
    const socket = new Socket();
    Object.defineProperty(socket, "remoteAddress", { value: peer });
    const incoming = Object.assign(new IncomingMessage(socket), { rawHeaders: ["Host", "localhost"] });
    return app.request(path, { headers: sent }, { incoming });
  }
  const read = async () => {
    await tracer?.close();
    return collector.spans();
  };
  return { ask, headers, read, token, user };
}

test("a page, its call and the call's queries form one trace, in order", async () => {
  const { ask, read } = await open();
  const response = await ask("/profile");
  const spans = await read();

  const page = spans.find(({ parentSpanId }) => !parentSpanId);
  expect(page).toMatchObject({
    name: "GET /profile",
    attributes: {
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "http.route": "/profile",
      "nodebeat.request_id": response.headers.get("X-Request-Id"),
    },
  });
  const call = spans.find(({ parentSpanId }) => parentSpanId === page?.spanId);
  expect(call?.name).toBe("GET /api/user");
  const queries = spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
  // One query finds the session of the token, the other its member.
  expect(queries).toMatchObject([{ name: "select sessions" }, { name: expect.stringMatching(/^select [a-z_]+$/) }]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(spans).toHaveLength(queries.length + 2);
});

test("sends the collector neither request values nor anything that identifies a member", async () => {
  const { ask, headers, read, token, user } = await open();
  await ask("/profile?email=ada.lovelace%40nodebeat.test", { ...headers, "x-forwarded-for": "203.0.113.9" });
  await ask(`/api/campaigns/${user.id}/claim?token=${token}`, headers);
  await ask("/api/user", headers);
  await ask("/api/user", { authorization: "Bearer nbs_wrong-one" });
  const spans = await read();
  expect(spans.map(({ name }) => name)).toContain("GET /api/campaigns/:id/claim");
  const text = collector.text();
  for (const secret of [token, user.id, "lovelace", "203.0.113.9", "10.0.0.1", "nbs_"])
    expect(text).not.toContain(secret);
});

test("sends the type of an error but never its message, and does not mark a refusal as an error", async () => {
  const tracer = openOtlp(collector.url);
  const whole = tracer.begin("whole", {}, undefined);
  const works = [
    () => Promise.reject(new TypeError("lovelace")),
    () => Promise.reject(new AppError("NOT_FOUND", "lovelace")),
    () => database.pool.query("select 'lovelace'::integer"),
  ];
  for (const work of works) await within(whole, () => inSpan<unknown>("part", work)).catch(() => {});
  whole.end();
  await tracer.close();
  expect(collector.spans()).toMatchObject([
    { name: "part", attributes: { "error.type": "TypeError" }, status: { code: 2 } },
    { name: "part", attributes: { "error.type": "NOT_FOUND" }, status: { code: 0 } },
    { name: "select", attributes: { "error.type": "22P02" }, status: { code: 2 } },
    { name: "part", attributes: { "error.type": "22P02" }, status: { code: 2 } },
    { name: "whole", status: { code: 0 } },
  ]);
  expect(collector.text()).not.toContain("lovelace");
});

const [TRACE, PARENT] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];

test.each([
  ["10.0.0.1", `00-${TRACE}-${PARENT}-01`, true],
  ["198.51.100.7", `00-${TRACE}-${PARENT}-01`, false],
  ["10.0.0.1", `00-${TRACE}-${PARENT}`, false],
])("a request from %s continues the trace %s: %s", async (peer, traceparent, isBelieved) => {
  const { ask, read } = await open();
  await ask("/healthz", { traceparent }, peer);
  const [span] = await read();
  expect([span?.traceId === TRACE, span?.parentSpanId === PARENT]).toEqual([isBelieved, isBelieved]);
});

/** Counts the OpenTelemetry modules that a process loads which has the whole server and this setting. */
async function countLoaded(endpoint: string) {
  const script = `
    await import("./server/boot/start.ts");
    const { openTracer } = await import("./server/tracing/tracer.ts");
    await openTracer(${JSON.stringify(endpoint)} || undefined);
    const { createRequire } = await import("node:module");
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(loaded.filter((path) => /opentelemetry\\/(?!api\\/)/.test(path)).length);
    process.exit(0);`;
  const input = [...QUICK_EXIT, "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, input, { env: BARE_ENV, cwd: process.cwd() });
  return Number(stdout);
}

test("loads no OpenTelemetry module without the setting", async () => {
  expect(await countLoaded("")).toBe(0);
  expect(await countLoaded(collector.url)).toBeGreaterThan(0);
});
