import { createApi } from "../api.ts";
import { createKeyedCredentials } from "../secrets/credential.ts";
import { findInviter } from "../auth/queries.ts";
import { createPasswordHasher } from "../auth/password/password-hasher.ts";
import { PROVIDER_SESSIONS, type Supabase } from "../auth/provider/supabase-client.ts";
import type { BotCheck } from "../bot-check/bot-check.ts";
import { createEmbeddedBotCheck } from "../bot-check/embedded.ts";
import { createTurnstile } from "../bot-check/turnstile.ts";
import { openChain } from "../chain/open-chain.ts";
import type { Database, Db } from "../db/client.ts";
import { REQUEST_TIMEOUT_MS } from "../db/time-limits.ts";
import type { Deps } from "../deps.ts";
import type { Env } from "../env.ts";
import { createApp } from "../http/app.ts";
import { createWorkerApp } from "../http/worker-app.ts";
import type { Health } from "../http/health.ts";
import { createCallScope } from "../http/call-scope.ts";
import type { StaticFiles } from "../http/static/static-files.ts";
import type { Logger } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createOutbox } from "../mail/outbox.ts";
import { openNodePass } from "../node-pass/open-node-pass.ts";
import { createRateLimiter } from "../rate-limits/rate-limiter.ts";
import { createSeal } from "../secrets/seal.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { createBoard } from "../status/board.ts";
import { PartId } from "../status/contract.ts";
import { createWaker } from "../jobs/waker.ts";
import { openOutgoing } from "../webhooks/outgoing.ts";
import { createWalletNonces } from "../wallet/nonce.ts";
import { createFigures, createMetricsPage } from "./metrics-page.ts";
import type { createPages } from "../pages.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { shareRoutes } from "../share/routes.ts";

/** Settings with the secrets, including those that a demo made for itself. */
export type ReadyEnv = Env & { sessionSecrets: Secrets };
export type CreatePages = typeof createPages;

const now = () => new Date();

/** Replacements, for tests, of what every installation has. */
export type Engines = {
  /** Where to check Turnstile's tokens, instead of Cloudflare's own address. */
  turnstileVerifyUrl?: string | undefined;
  /** The shortest time that a person is believed to need for a form, in milliseconds. */
  minFillMs?: number;
};

export function createDeps(env: ReadyEnv, { db, replica }: Database, log: Logger, engines: Engines = {}): Deps {
  const jobs = createWaker();
  const metrics = createMetrics();
  const secrets = env.sessionSecrets;
  return {
    db,
    replica,
    env,
    jobs,
    log,
    metrics,
    now,
    passwords: createPasswordHasher(),
    botCheck: openBotCheck(env, { db, log }, engines),
    limits: createRateLimiter({ db, now, secrets }),
    mailed: createKeyedCredentials(secrets),
    outgoing: openOutgoing(secrets, { toPrivate: env.webhooksToPrivate }),
    outbox: createOutbox({ secrets, now, jobs, metrics }),
    walletNonces: createWalletNonces(secrets),
    chain: openChain({ db, env, log, now, secrets }),
    nodePass: openNodePass({ env, now }),
    status: createBoard({ now, parts: listParts(env) }),
    supabase: openSupabase(env),
  };
}

/** Lists the parts of the status. A backend that has the accounts also has the mail. */
const listParts = ({ authApiUrl }: Pick<Env, "authApiUrl">): PartId[] =>
  PartId.options.filter((part) => part !== "mail" || !authApiUrl);

function openSupabase({ supabaseUrl, supabaseAnonKey, sessionSecrets }: ReadyEnv): Supabase | undefined {
  if (!supabaseUrl || !supabaseAnonKey) return undefined;
  return { url: supabaseUrl, anonKey: supabaseAnonKey, seal: createSeal(sessionSecrets, PROVIDER_SESSIONS) };
}

function openBotCheck(
  env: ReadyEnv,
  { db, log }: { db: Db; log: Logger },
  { turnstileVerifyUrl: verifyUrl, minFillMs }: Engines,
): BotCheck {
  const { sessionSecrets, turnstileSiteKey: siteKey, turnstileSecretKey: secretKey } = env;
  if (!siteKey || !secretKey) return createEmbeddedBotCheck({ db, secrets: sessionSecrets, now, minFillMs });
  return createTurnstile({ siteKey, secretKey, log, verifyUrl });
}

/** What an app needs besides the API that answers its calls. */
export type Surroundings = {
  createPages: CreatePages;
  staticFiles: StaticFiles;
  /** Whether the server is about to stop, so that work should go elsewhere. */
  isLeaving: () => boolean;
  /** Aborted when the server stops taking new work. */
  stopping: AbortSignal;
  development?: boolean;
  /** Records requests if there is a collector. */
  tracer?: Tracer | undefined;
};

type Parts = Surroundings & {
  deps: Deps;
  database: Database;
  /** Updates the figures on /metrics. All who read them share it. */
  figures?: () => Promise<void>;
  /** How long one request may wait for a PostgreSQL server, in milliseconds. */
  databaseTimeLimit?: number | undefined;
};

/** Assembles the server: the API, the pages that call it in process, and what surrounds both. */
export function compose({
  deps,
  database,
  createPages,
  staticFiles,
  isLeaving,
  stopping,
  development,
  ...parts
}: Parts) {
  const { env, log } = deps;
  const { figures = createFigures(deps, database), tracer, databaseTimeLimit: limit = REQUEST_TIMEOUT_MS } = parts;
  const api = createApi(deps);
  const pages = createPages({
    ...env,
    readStatus: deps.status.report,
    readNotice: deps.status.notice,
    openEmbedded(clientAddress) {
      const scope = createCallScope(clientAddress);
      return {
        fetch: async (request) => api.http.fetch(request, { scope }),
        read: (reading) => api.read(reading, scope),
      };
    },
  });
  const health = describeHealth({ deps, database, isLeaving });
  const isInvitation = async (code: string) => Boolean(await findInviter(deps.db, code.toUpperCase()));
  const share = shareRoutes({ publicUrl: env.publicUrl, limits: deps.limits, isInvitation });
  const surroundings = { env: { ...env, development }, log, staticFiles, health, share, stopping, tracer };
  const metricsPage = createMetricsPage(deps, figures);
  // The embedded database serves this process alone, one call after another, and no network can delay it.
  const databaseTimeLimit = database.engine === "postgres" ? limit : undefined;
  return createApp({ ...surroundings, databaseTimeLimit, api: api.http, metrics: deps.metrics, metricsPage, pages });
}

type Working = Pick<Parts, "deps" | "database" | "isLeaving" | "figures">;

/** Assembles the app of a process that only works in the background. */
export const composeWorker = (parts: Working) =>
  createWorkerApp({
    env: parts.deps.env,
    log: parts.deps.log,
    health: describeHealth(parts),
    metrics: parts.deps.metrics,
    metricsPage: createMetricsPage(parts.deps, parts.figures ?? createFigures(parts.deps, parts.database)),
  });

function describeHealth({ deps, database, isLeaving }: Working): Health {
  return { reason: "database", check: () => database.check(), checkChain: () => deps.chain.check(), isLeaving };
}
