import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { Metrics } from "../../metrics/metrics.ts";
import { METHODS, type HttpContext, type HttpEnv } from "../http-env.ts";

/**
 * Measures how long answers take to begin, by patterns: whatever is asked for, there are as many of those as routes.
 */
export function requestMetrics({ requests }: Pick<Metrics, "requests">) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const start = performance.now();
    await next();
    const status = `${Math.floor(c.res.status / 100)}xx`;
    const labels = { method: nameMethod(c), route: nameRoute(c), status };
    requests.observe(labels, (performance.now() - start) / 1000);
  });
}

export const nameMethod = ({ req }: HttpContext): string => (METHODS.has(req.method) ? req.method : "other");

/** The pattern of the last handler that was reached. What only general ones have seen leads nowhere, or was refused. */
export function nameRoute(c: HttpContext): string {
  const page = c.get("route");
  if (page) return page === "/*" ? "unknown" : page;
  const pattern = routePath(c);
  return pattern.includes("*") ? "unknown" : pattern;
}
