import { Hono } from "hono";
import { AppError } from "../errors.ts";
import type { AppOptions } from "./app.ts";
import { healthRoutes } from "./health.ts";
import type { HttpEnv } from "./http-env.ts";
import { metricsRoutes } from "./metrics-routes.ts";
import { requestLog } from "./middleware/request-log.ts";
import { requestMetrics } from "./middleware/request-metrics.ts";
import { requestScope } from "./middleware/request-scope.ts";
import { securityHeaders } from "./middleware/security-headers.ts";
import { respondToUnexpected, wrapThrown } from "./middleware/unexpected-error.ts";

type WorkerAppOptions = Pick<AppOptions, "env" | "log" | "health" | "metrics" | "metricsPage">;

/**
 * Creates the app of a process that only does background work: it serves health checks and metrics, and nothing else.
 */
export function createWorkerApp({ env, log, health, metrics, metricsPage }: WorkerAppOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(requestScope({ log, trustedProxies: env.trustedProxies }));
  app.use(requestLog());
  app.use(requestMetrics(metrics));
  app.use(securityHeaders(env));
  // Placed here so that refusals pass through the middleware above, for the headers and the log.
  app.use(wrapThrown());
  app.route("/", healthRoutes(health));
  app.route("/", metricsRoutes(metricsPage));
  app.notFound(() => {
    throw new AppError("NOT_FOUND", "This process only works in the background.");
  });
  app.onError(respondToUnexpected);
  return app;
}
