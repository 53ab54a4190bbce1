import type { Env } from "../env.ts";
import { AppError } from "../errors.ts";
import { createApp } from "../http/app.ts";
import { createCallScope } from "../http/call-scope.ts";
import type { Gate } from "../http/handle-call.ts";
import { mountRoutes } from "../http/mount-routes.ts";
import { openReads } from "../http/read-in-process.ts";
import { explainError } from "../http/explain-error.ts";
import { forwardToBackend } from "../http/pass-on.ts";
import { documentsApi } from "../legal/api.ts";
import type { Logger } from "../log/log.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { createMemoryLimiter } from "../rate-limits/memory-limiter.ts";
import { shareRoutes } from "../share/routes.ts";
import { createBackendCheck } from "../http/check-backend.ts";
import { statusApi } from "../status/api.ts";
import { createBoard, type Board } from "../status/board.ts";
import { DOWN, UP } from "../status/judge.ts";
import type { Status } from "../db/unavailable.ts";
import type { Surroundings } from "./compose.ts";
import { createMetricsPage } from "./metrics-page.ts";

/** Settings of a process in front of another backend. */
export type FrontEnv = Env & { apiUrl: string };

export const isFront = (env: Env): env is FrontEnv => env.apiUrl !== undefined;

type Parts = Surroundings & {
  env: FrontEnv;
  log: Logger;
  /** The status of the backend, which the caller keeps up to date. */
  status?: Board;
  metrics?: Metrics;
};

/** The status as far as this process knows it: whether the backend answers. */
export const createFrontBoard = (): Board => createBoard({ now, parts: ["api"], hasHistory: false });

/** How often to check the backend, in milliseconds. */
const CHECK_INTERVAL_MS = 15_000;

type WatchTargets = { metrics: Metrics; status: Board };

/** Checks the backend while the process runs. Returns a function that stops this. */
export function watchBackend({ metrics, status }: WatchTargets, check: () => Promise<Status>): () => void {
  async function checkBackend() {
    const { ok } = await check();
    metrics.ready.set({ part: "backend" }, Number(ok));
    status.see({ api: { grade: ok ? UP : DOWN } });
  }
  void checkBackend();
  const timer = setInterval(() => void checkBackend(), CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

const now = () => new Date();

/** This process does not know who the backend's members are, so any code may be an invitation. */
const isInvitation = async () => true;

/** How many pages to render at once for one client: more than usual, because a page mostly waits for the other API. */
const PAGES_OF_ONE_CLIENT = 8;

/**
 * Removes the gauges of the database. Without a label they begin at 0, and would describe a database that is not here.
 */
function removeDatabaseGauges(metrics: Metrics) {
  const { databaseWaiting, heldMessages, mostConnections, oldestHeld, readOnly, replicaLag } = metrics;
  for (const each of [databaseWaiting, heldMessages, mostConnections, oldestHeld, readOnly, replicaLag]) each.remove();
}

/**
 * Assembles a server in front of another backend. It serves pages and files, and passes calls on. It gets no database,
 * and nothing here needs one.
 */
export function composeFront({
  env,
  log,
  createPages,
  staticFiles,
  isLeaving,
  stopping,
  development,
  ...parts
}: Parts) {
  const { metrics = createMetrics(), status = createFrontBoard(), tracer } = parts;
  removeDatabaseGauges(metrics);
  const gate: Gate = {
    authenticate: () => Promise.reject(new AppError("UNAUTHENTICATED", "Nobody signs in here.")),
    authApiKeys: [],
    explain: (error, lines = log, attempt) => explainError(error, lines, attempt),
  };
  const documents = documentsApi({ now });
  const [http, read] = [mountRoutes(documents, gate), openReads(documents, gate)];
  const api = mountRoutes(statusApi({ status }), gate);
  api.route("/", forwardToBackend(env));
  const pages = createPages({
    ...env,
    readStatus: status.report,
    readNotice: status.notice,
    openEmbedded(clientAddress) {
      const scope = createCallScope(clientAddress);
      return { fetch: async (request) => http.fetch(request, { scope }), read: (reading) => read(reading, scope) };
    },
  });
  return createApp({
    env: { ...env, development },
    log,
    staticFiles,
    api,
    pages,
    pagesOfOneClient: PAGES_OF_ONE_CLIENT,
    share: shareRoutes({ publicUrl: env.publicUrl, limits: createMemoryLimiter({ now }), isInvitation }),
    health: { reason: "backend", check: createBackendCheck(env), checkChain: async () => ({ ok: true }), isLeaving },
    metrics,
    metricsPage: createMetricsPage({ env, metrics }),
    tracer,
    stopping,
  });
}
