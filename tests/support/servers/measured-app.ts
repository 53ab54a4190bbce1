import { expect } from "vitest";
import { compose } from "../../../server/boot/compose.ts";
import type { Database } from "../../../server/db/client.ts";
import type { Deps } from "../../../server/deps.ts";
import { html } from "./app-under-test.ts";

export const METRICS_TOKEN = "a token of the tests";

/** Creates the whole server around a test's own API, with one page, and a function that reads its metrics. */
export function createMeasuredApp(deps: Deps, database: Database, token: string | undefined = METRICS_TOKEN) {
  const app = compose({
    deps: { ...deps, env: { ...deps.env, metricsToken: token } },
    database,
    createPages:
      () =>
      async (request, { onRoute }) => {
        const [, folder = ""] = new URL(request.url).pathname.split("/");
        const pattern = { terms: "/terms/:version?", read: "/read/*" }[folder] ?? "/*";
        onRoute(pattern);
        return html("<h1>Page</h1>", { status: pattern === "/*" ? 404 : 200 });
      },
    staticFiles: new Map(),
    isLeaving: () => false,
    stopping: new AbortController().signal,
  });

  async function scrape(): Promise<string> {
    const response = await app.request("/metrics", { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(response.status).toBe(200);
    return response.text();
  }
  return { app, scrape };
}

/** Returns the lines of one of our metrics, without its help, sorted by labels. */
export const readMetricLines = (text: string, name: string): string[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`nodebeat_${name}{`) || line.startsWith(`nodebeat_${name} `))
    .map((line) => line.slice("nodebeat_".length))
    .toSorted();
