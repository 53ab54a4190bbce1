import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createTestApi } from "./support/api/api.ts";
import { createMeasuredApp } from "./support/servers/measured-app.ts";
import { createTestDatabase } from "./support/database/test-database.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

const read = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../docs/observability/${file}`, import.meta.url)), "utf8");

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };
const { panels } = JSON.parse(read("grafana-dashboard.json")) as Dashboard;
const drawn = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
/** An expression follows its name, or is on the lines below it. */
const alerts = Array.from(
  read("prometheus-alerts.yaml").matchAll(/^ +expr: (?:>-\n((?: {10}.*\n)+)|(.*))/gm),
  (found) => (found[1] ?? found[2] ?? "").trim(),
);

/** Returns the names of the metrics in an expression: the words before labels. */
const namesIn = (expression: string) => Array.from(expression.matchAll(/\b([a-z]\w*)\{/g), ([, name = ""]) => name);

/** Returns the names that the server exports, and the one that Prometheus adds. */
async function readNames() {
  const { deps } = createTestApi(database);
  const text = await createMeasuredApp(deps, database).scrape();
  const names = Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = "", type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  return new Set(["up", ...names.flat()]);
}

test("the dashboard and the alerts use only metrics that the server exports", async () => {
  const names = await readNames();
  expect(alerts).toHaveLength(read("prometheus-alerts.yaml").match(/^ +- alert: /gm)?.length ?? 0);
  expect(alerts.length).toBeGreaterThan(5);
  const expressions = [...drawn, ...alerts];
  expect(expressions.filter((expression) => namesIn(expression).length === 0)).toEqual([]);
  expect(expressions.flatMap(namesIn).filter((name) => !names.has(name))).toEqual([]);
});

test("every metric that the server exports is on the dashboard", async () => {
  const ours = [...(await readNames())].filter((name) => name.startsWith("nodebeat_") && !name.endsWith("_sum"));
  const shown = new Set(drawn.flatMap(namesIn));
  expect(ours.filter((name) => !shown.has(name))).toEqual([]);
});

test("every metric that the server exports is in the operator's guide", async () => {
  const ours = [...(await readNames())].filter((name) => /^nodebeat_.*(?<!_bucket|_count|_sum)$/.test(name));
  const guide = readFileSync(fileURLToPath(new URL("../docs/operations.md", import.meta.url)), "utf8");
  const told = new Set(Array.from(guide.matchAll(/`(nodebeat_\w+)`/g), ([, name = ""]) => name));
  expect(ours.length).toBeGreaterThan(15);
  expect(ours.filter((name) => !told.has(name))).toEqual([]);
});

test("the alert for a missing queue fires only if the server has a database", () => {
  const missed = alerts.find((expression) => expression.startsWith("absent("));
  expect(missed).toMatch(/ and on \(\) nodebeat_ready\{job="nodebeat",part="database"\}$/);
});

test("the alert for failing mail needs only one email that keeps failing, because small networks send few", () => {
  const failing = alerts.find((expression) => namesIn(expression).includes("nodebeat_mails_total"));
  expect(failing).toMatch(/ or max\(nodebeat_failing_jobs\{job="nodebeat",kind="mail"\}\) > 0\n +and sum\(.+ < 1$/);
});

test("requests of probes and of Prometheus count in no figure of requests that does not show each route by itself", () => {
  const requests = /nodebeat_http_request_duration_seconds\w*\{([^}]*)\}/g;
  const figures = [...drawn, ...alerts].filter((expression) => !/ by \([^)]*\broute\b/.test(expression));
  const labels = figures.flatMap((expression) => Array.from(expression.matchAll(requests), ([, found]) => found));
  expect(labels.length).toBeGreaterThan(5);
  expect(labels.filter((found) => !found?.includes(',route!~"/healthz|/readyz|/metrics"'))).toEqual([]);
});

test("each critical metric has an alert", () => {
  const watched = new Set(alerts.flatMap(namesIn));
  expect(alerts.length).toBeGreaterThan(9);
  for (const name of [
    "up",
    "nodebeat_ready",
    "nodebeat_http_request_duration_seconds_bucket",
    "nodebeat_http_request_duration_seconds_count",
    "nodebeat_oldest_due_job_seconds",
    "nodebeat_database_connections_max",
    "nodebeat_failing_jobs",
    "nodebeat_chain_balance",
    "nodebeat_mails_total",
    "nodebeat_heartbeats_total",
    "nodejs_eventloop_lag_p99_seconds",
  ])
    expect(watched).toContain(name);
});
