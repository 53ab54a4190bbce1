import type { Env } from "../env.ts";
import { AppError } from "../errors.ts";
import { createApp } from "../http/app.ts";
import { createCallScope } from "../http/call-scope.ts";
import { mountRoutes } from "../http/endpoint.ts";
import { explainError } from "../http/explain-error.ts";
import { passOn } from "../http/pass-on.ts";
import { documentsApi } from "../legal/api.ts";
import type { Logger } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createMemoryLimiter } from "../rate-limits/memory-limiter.ts";
import { shareRoutes } from "../share/routes.ts";
import { createBackendCheck } from "../http/check-backend.ts";
import type { Surroundings } from "./compose.ts";
import { createProcessPage } from "./metrics-page.ts";

/** Settings of a process that stands in front of another backend. */
export type FrontEnv = Env & { apiUrl: string };

export const isFront = (env: Env): env is FrontEnv => env.apiUrl !== undefined;

type Parts = Surroundings & { env: FrontEnv; log: Logger };

const now = () => new Date();

/** Who the backend's members are is not known here: any code may be somebody's. */
const isInvitation = async () => true;

/** Of another's API a page mostly waits. */
const PAGES_OF_ONE_CLIENT = 8;

/**
 * Puts together a server in front of another backend: pages, files, and calls that are passed on. It is given no
 * database, and nothing here has any use for one.
 */
export function composeFront({ env, log, createPages, staticFiles, isLeaving, stopping, development, tracer }: Parts) {
  const documents = mountRoutes(documentsApi({ now }), {
    authenticate: () => Promise.reject(new AppError("UNAUTHENTICATED", "Nobody signs in here.")),
    authApiKey: undefined,
    explain: (error, lines = log, attempt) => explainError(error, lines, attempt),
  });
  const pages = createPages({
    ...env,
    openEmbedded(clientAddress) {
      const scope = createCallScope(clientAddress);
      return async (request) => documents.fetch(request, { scope });
    },
  });
  const metrics = createMetrics();
  return createApp({
    env: { ...env, development },
    log,
    staticFiles,
    api: passOn(env),
    pages,
    pagesOfOneClient: PAGES_OF_ONE_CLIENT,
    share: shareRoutes({ publicUrl: env.publicUrl, limits: createMemoryLimiter({ now }), isInvitation }),
    health: { reason: "backend", check: createBackendCheck(env), checkChain: async () => ({ ok: true }), isLeaving },
    metrics,
    metricsPage: createProcessPage({ env, metrics }),
    tracer,
    stopping,
  });
}
