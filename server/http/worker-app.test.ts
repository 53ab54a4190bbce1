import { expect, test } from "vitest";
import { SILENT } from "../../tests/support/api/api.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createWorkerApp } from "./worker-app.ts";

const app = createWorkerApp({
  env: { trustedProxies: [] },
  log: SILENT,
  health: {
    reason: "database",
    check: async () => ({ ok: true }),
    checkChain: async () => ({ ok: true }),
    isLeaving: () => false,
  },
  metrics: createMetrics(),
  metricsPage: { token: "of-the-metrics", contentType: "text/plain", render: async () => "up 1\n" },
});

test("a worker serves health checks, and metrics to a client with the token", async () => {
  for (const path of ["/healthz", "/readyz"]) expect((await app.request(path)).status).toBe(200);
  const metrics = await app.request("/metrics", { headers: { Authorization: "Bearer of-the-metrics" } });
  expect([metrics.status, await metrics.text()]).toEqual([200, "up 1\n"]);
  expect((await app.request("/metrics")).status).toBe(401);
});

test("a worker answers probes only at their exact addresses, which proxies block", async () => {
  const headers = { Authorization: "Bearer of-the-metrics" };
  for (const path of ["/%68ealthz", "/ready%7A", "/%6detrics"]) {
    expect((await app.request(path, { headers })).status).toBe(404);
  }
});

test.each(["/healthz", "/readyz", "/metrics"])("%s allows only GET and HEAD", async (path) => {
  const { headers, status } = await app.request(path, { method: "POST" });
  expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

test.each(["/", "/dashboard", "/api/user", "/assets/entry.js"])(
  "a worker answers 404 to %s, and says that it works only in the background",
  async (path) => {
    const response = await app.request(path, { headers: { Accept: "application/json" } });
    expect(response.status).toBe(404);
    expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(await response.text()).toContain("This process only works in the background.");
  },
);
