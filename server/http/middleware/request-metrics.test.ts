import { expect, test } from "vitest";
import { createApiUnderTest, createAppUnderTest } from "../../../tests/support/servers/app-under-test.ts";

/** Sends requests to a server, and returns what it counted: labels and numbers. */
async function count(...asked: [method: string, path: string][]) {
  const api = createApiUnderTest();
  api.all("/api/entries/:id", (c) => c.json({}, c.req.param("id") === "gone" ? 404 : 200));
  const { app, metrics } = createAppUnderTest({ api });
  for (const [method, path] of asked) await app.request(path, { method });
  const { values } = await metrics.requests.get();
  return values;
}

test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("counts %s under its name", async (method) => {
  const values = await count([method, "/api/entries/1"]);
  expect(new Set(values.map(({ labels }) => labels.method))).toEqual(new Set([method]));
});

test("counts unknown methods as other", async () => {
  const values = await count(["BREW", "/api/entries/1"], ["STIR", "/api/entries/1"]);
  expect(new Set(values.map(({ labels }) => labels.method))).toEqual(new Set(["other"]));
});

test("counts responses by route and status class, with their duration in seconds", async () => {
  const begun = performance.now();
  const values = await count(["GET", "/api/entries/1"], ["GET", "/api/entries/2"], ["GET", "/api/entries/gone"]);
  const passed = (performance.now() - begun) / 1000;
  const pick = (suffix: string) => values.filter(({ metricName }) => metricName?.endsWith(suffix));
  const route = "/api/entries/:id";
  expect(pick("_count")).toEqual([
    expect.objectContaining({ labels: { method: "GET", route, status: "2xx" }, value: 2 }),
    expect.objectContaining({ labels: { method: "GET", route, status: "4xx" }, value: 1 }),
  ]);
  expect(pick("_sum")).toHaveLength(2);
  for (const { value } of pick("_sum")) expect(value).toBeLessThanOrEqual(passed);
});
