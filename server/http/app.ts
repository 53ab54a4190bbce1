import { Hono } from "hono";
import { AppError } from "../errors.ts";
import type { Logger } from "../log/log.ts";
import { bodyLimit } from "./middleware/body-limit.ts";
import { limitClientConcurrency } from "./middleware/client-concurrency.ts";
import { compression } from "./middleware/compression.ts";
import type { ApiEnv } from "./mount-routes.ts";
import { endEventStreams } from "./event-stream.ts";
import { healthRoutes, type Health } from "./health.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { metricsRoutes, type MetricsPage } from "./metrics-routes.ts";
import type { HttpEnv } from "./http-env.ts";
import { originCheck } from "./middleware/origin-check.ts";
import { pageForm } from "./middleware/page-form.ts";
import { pagesHandler, type Pages } from "./pages-handler.ts";
import { refuseMalformed } from "./middleware/refuse-malformed.ts";
import { requestLog } from "./middleware/request-log.ts";
import { requestMetrics } from "./middleware/request-metrics.ts";
import { requestTrace } from "./middleware/request-trace.ts";
import { requestScope } from "./middleware/request-scope.ts";
import { securityHeaders, type SecurityOptions } from "./middleware/security-headers.ts";
import { serveStatic } from "./static/serve-static.ts";
import type { StaticFiles } from "./static/static-files.ts";
import { respondToUnexpected, wrapThrown } from "./middleware/unexpected-error.ts";

export type AppOptions = {
  env: SecurityOptions & { trustedProxies: readonly string[] };
  log: Logger;
  api: Hono<ApiEnv>;
  pages: Pages;
  staticFiles: StaticFiles;
  health: Health;
  metrics: Metrics;
  /** Records traces, if there is a collector. */
  tracer?: Tracer | undefined;
  metricsPage: MetricsPage;
  /** The pictures of invitation links, for other sites and for print. */
  share: Hono<HttpEnv>;
  /** How long a request may wait for the database in total, in milliseconds. */
  databaseTimeLimit?: number | undefined;
  /** How many pages of one client are rendered at once. */
  pagesOfOneClient?: number;
  /** Aborted when the server stops taking new work. */
  stopping: AbortSignal;
};

/** How many calls of one client run at once. The nodes of many members may share an address. */
const CALLS_OF_ONE_CLIENT = 32;

/**
 * The whole server as one function from Request to Response. The order shows what happens to a request, from the
 * outside in.
 */
export function createApp({
  env,
  log,
  api,
  pages,
  staticFiles,
  health,
  metrics,
  metricsPage,
  share,
  stopping,
  tracer,
  databaseTimeLimit,
  pagesOfOneClient = 2,
}: AppOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(requestScope({ log, trustedProxies: env.trustedProxies, ...(databaseTimeLimit && { databaseTimeLimit }) }));
  app.use(requestLog());
  app.use(requestMetrics(metrics));
  app.use(requestTrace(tracer));
  app.use(securityHeaders(env));
  app.use(refuseMalformed());
  app.use(originCheck(env));
  app.use(bodyLimit());
  const limitCalls = limitClientConcurrency(CALLS_OF_ONE_CLIENT);
  for (const path of ["/share/*", "/api/*", "/submissions/*", "/status.json"]) app.use(path, limitCalls);
  app.route("/", share);
  app.use(serveStatic(staticFiles));
  app.use(compression());
  app.use(endEventStreams(stopping));
  app.use(wrapThrown());
  app.route("/", healthRoutes(health));
  app.route("/", metricsRoutes(metricsPage));
  app.route("/", api);
  for (const path of ["/api/*", "/submissions/*"]) app.all(path, refuseUnknownCall);
  app.all("*", limitClientConcurrency(pagesOfOneClient, { rests: true }), pageForm(), pagesHandler(pages));
  app.onError(respondToUnexpected);
  return app;
}

function refuseUnknownCall(): never {
  throw new AppError("NOT_FOUND", "There is no such call.");
}
