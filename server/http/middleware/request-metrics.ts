import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { Metrics } from "../../metrics/metrics.ts";
import { METHODS, type HttpContext, type HttpEnv } from "../http-env.ts";

/**
 * Measures how long responses take to begin, by route pattern. There are only as many patterns as routes, whatever
 * clients request.
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

/**
 * Returns the pattern of the last handler that ran. If only general handlers ran, the address does not exist or the
 * request was refused: "unknown".
 */
export function nameRoute(c: HttpContext): string {
  const page = c.get("route");
  if (page) return page === "/*" ? "unknown" : page;
  const pattern = routePath(c);
  return pattern.includes("*") ? "unknown" : pattern;
}
