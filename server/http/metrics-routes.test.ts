import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { createMeasuredApp, readMetricLines, METRICS_TOKEN } from "../../tests/support/servers/measured-app.ts";
import { createTestDatabase, openTestDatabase } from "../../tests/support/database/test-database.ts";

const database = await createTestDatabase();
const { deps } = createTestApi(database);
afterAll(() => database.close());

const open = (token?: string) => createMeasuredApp(createTestApi(database).deps, database, token);
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test("serves the metrics to a client with the token, with no-store", async () => {
  const response = await open().app.request("/metrics", bearer(METRICS_TOKEN));
  expect([response.status, response.headers.get("Content-Type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect([response.headers.get("Cache-Control"), response.headers.getSetCookie()]).toEqual(["no-store", []]);
  const text = await response.text();
  for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_cpu_seconds_total", "process_resident_memory_bytes"])
    expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
});

test.each([
  {},
  bearer("another token"),
  bearer(`${METRICS_TOKEN}x`),
  { headers: { authorization: METRICS_TOKEN } },
  { headers: { authorization: `Not Bearer ${METRICS_TOKEN}` } },
])("answers 401 without the token: %j", async (init) => {
  const response = await open().app.request("/metrics", init);
  expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
  expect(await response.text()).toBe("This page needs the metrics token.\n");
});

test("answers 404 if no token is configured, whatever is sent", async () => {
  const { app } = createMeasuredApp(deps, database, "");
  for (const init of [{}, bearer(""), bearer("undefined"), bearer(METRICS_TOKEN)])
    expect((await app.request("/metrics", init)).status).toBe(404);
});

test("counts requests by route pattern, and all unknown routes as one", async () => {
  const { app, scrape } = open();
  for (const id of ["7", "8", "a%20member"]) await app.request(`/api/campaigns/${id}/claim`, { method: "POST" });
  for (const path of ["/nothing", "/nothing/else", "/api/none/of/these", "/missing.png", `/${"a".repeat(9000)}`])
    await app.request(path);
  await app.request("/nothing", { method: "PURGE" });
  for (const version of ["1", "2"]) await app.request(`/terms/${version}`);
  await app.request("/read/stats");
  await app.request("/healthz");

  const counts = (await scrape())
    .split("\n")
    .filter((line) => line.startsWith("nodebeat_http_request_duration_seconds_count"))
    .map((line) => line.slice("nodebeat_http_request_duration_seconds_count".length));
  expect(counts.toSorted()).toEqual([
    `{method="GET",route="/healthz",status="2xx"} 1`,
    `{method="GET",route="/read/*",status="2xx"} 1`,
    `{method="GET",route="/terms/:version?",status="2xx"} 2`,
    `{method="GET",route="unknown",status="4xx"} 5`,
    `{method="POST",route="/api/campaigns/:id/claim",status="4xx"} 3`,
    `{method="other",route="unknown",status="4xx"} 1`,
  ]);
});

test("two servers in one process count separately", async () => {
  const [first, second] = [open(), open()];
  await first.app.request("/healthz");
  expect(await first.scrape()).toContain(`route="/healthz"`);
  expect(await second.scrape()).not.toContain(`route="/healthz"`);
});

test("reports an unreachable database as not ready, and omits the metrics of its queue", async () => {
  const gone = await openTestDatabase();
  const clock = createTestClock();
  const { scrape } = createMeasuredApp(createTestApi(gone, { now: clock.now }).deps, gone);
  await gone.pool.query("insert into background_jobs (kind, key, due_at) values ('mail', '1', now())");
  const before = await scrape();
  expect(readMetricLines(before, "ready")).toEqual([`ready{part="chain"} 1`, `ready{part="database"} 1`]);
  expect(readMetricLines(before, "jobs")).toEqual([`jobs{kind="mail"} 1`]);
  await gone.close();
  clock.advance(60_000);
  const text = await scrape();
  expect(readMetricLines(text, "ready")).toEqual([`ready{part="chain"} 1`, `ready{part="database"} 0`]);
  expect(readMetricLines(text, "jobs")).toEqual([]);
  expect(text).toMatch(/^process_cpu_seconds_total \d/m);
});
