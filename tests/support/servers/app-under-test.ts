import { Hono } from "hono";
import { createMetrics } from "../../../server/metrics/metrics.ts";
import { createLog } from "../../../server/log/log.ts";
import { createApp } from "../../../server/http/app.ts";
import type { ApiEnv } from "../../../server/http/mount-routes.ts";
import type { StaticFiles } from "../../../server/http/static/static-files.ts";

type AppOptions = Parameters<typeof createApp>[0];

/** Creates the app with a small API and page in place of the product's, to test what surrounds them. */
export function createAppUnderTest(overrides: Partial<AppOptions> = {}) {
  const lines: string[] = [];
  const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const metrics = createMetrics();
  const app = createApp({
    env: { trustedProxies: [] },
    log,
    api: createApiUnderTest(),
    pages: async () => html("<h1>Page</h1>"),
    staticFiles: new Map<string, never>() satisfies StaticFiles,
    health: {
      reason: "database",
      check: async () => ({ ok: true }),
      checkChain: async () => ({ ok: true }),
      isLeaving: () => false,
    },
    metrics,
    metricsPage: { token: undefined, contentType: "text/plain", render: async () => "" },
    share: new Hono(),
    stopping: new AbortController().signal,
    ...overrides,
  });
  return { app, log, metrics, logged: () => lines.map((line): Record<string, unknown> => JSON.parse(line)) };
}

export const createApiUnderTest = () => new Hono<ApiEnv>();

export function html(body: string | ReadableStream, init?: ResponseInit) {
  const headers = new Headers(init?.headers);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(body, { ...init, headers });
}
