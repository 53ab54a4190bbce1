import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startBackground } from "./background.ts";
import { compose, composeWorker, createDeps, type CreatePages, type Engines, type ReadyEnv } from "./compose.ts";
import { openDatabase, type Database } from "../db/client.ts";
import { prepareDemo, type DemoSignIn } from "./demo.ts";
import { endsWithin } from "../ends-within.ts";
import type { Env } from "../env.ts";
import { writeDemoAccess } from "../../node/demo-access.ts";
import { createBackendCheck } from "../http/check-backend.ts";
import { composeFront, createFrontBoard, isFront, watchBackend, type FrontEnv } from "./front.ts";
import { listen, type Listening } from "../http/listening/listen.ts";
import { findIgnored } from "../ops/doctor/settings.ts";
import { createFigures } from "./metrics-page.ts";
import { startStatusWatch } from "./status-watch.ts";
import { listenForOperations } from "../ops/control-server.ts";
import { fixedHeaders } from "../http/middleware/security-headers.ts";
import { readStaticFiles, type StaticFiles } from "../http/static/static-files.ts";
import { loadOrCreateSecret, readSessionSecrets } from "../secrets/stored-secret.ts";
import { createLog, type Logger } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { openTracer } from "../tracing/tracer.ts";
import { StartError } from "../start-error.ts";

/**
 * How long requests and jobs under way get to finish, in milliseconds. With the usual grace period before that, it
 * stays within the 30 s that orchestrators allow.
 */
const DEADLINE = 15_000;

const BUILD = {
  client: fileURLToPath(new URL("../../build/client", import.meta.url)),
  pages: new URL("../../build/server/index.js", import.meta.url),
};

type StartOptions = {
  /** The database to use. It is left open. By default the server opens its own. */
  database?: Database;
  /** Whether to fill an empty database with the demo's network before anyone is let in. */
  seedsDemo?: boolean;
  log?: Logger;
  engines?: Engines;
  /** How long one request may wait for a PostgreSQL server, in milliseconds, instead of `REQUEST_TIMEOUT_MS`. */
  databaseTimeLimit?: number | undefined;
};

export type RunningServer = {
  url: string;
  /** How to sign in, if this is a demo. */
  demo?: DemoSignIn;
  /** Keeps serving, but reports that it is about to stop, so that load balancers send new requests elsewhere. */
  leave: () => void;
  /** Finishes what is under way, then closes the database. Resolves to whether everything ended in time. */
  close: () => Promise<boolean>;
};

/** Starts the whole server. Throws StartError with a sentence for the operator. */
export async function startServer(given: Env, options: StartOptions = {}): Promise<RunningServer> {
  const log = options.log ?? createLog({ level: given.logLevel });
  const build = given.role === "worker" ? undefined : await loadBuild();
  if (build && isFront(given)) return serveFront({ env: given, log, build });
  const env = await withDemoSecrets(given);
  // No background work reads from a replica.
  const databaseReadUrl = env.role === "worker" ? undefined : env.databaseReadUrl;
  const database = options.database ?? (await openDatabase({ ...env, log, databaseReadUrl }));
  const release = async () => {
    if (!options.database) await database.close();
  };
  try {
    return await serve({ ...options, env, database, isOurs: !options.database, log, build, release });
  } catch (error) {
    await release();
    throw error;
  }
}

type Build = { createPages: CreatePages; staticFiles: StaticFiles };
type Parts = Required<Pick<StartOptions, "database" | "log">> &
  StartOptions & { env: ReadyEnv; isOurs: boolean; build: Build | undefined; release: () => Promise<void> };

async function serve({
  env,
  database,
  isOurs,
  log,
  build,
  release,
  seedsDemo,
  engines,
  databaseTimeLimit,
}: Parts): Promise<RunningServer> {
  const stops = createStops();
  const deps = createDeps(env, database, log, engines);
  const demo = seedsDemo ? await prepareDemo(deps) : undefined;
  const tracer = await openTracer(env.traceEndpoint);
  const figures = createFigures(deps, database);
  const app = build
    ? compose({ deps, database, figures, ...build, ...stops.parts, tracer, databaseTimeLimit })
    : composeWorker({ deps, database, figures, ...stops.parts });
  const onShed = () => deps.metrics.shed.inc();
  const countWaiting = () => deps.passwords.countWaiting();
  // The embedded database does one thing after another, and no request is refused because it has to wait for that.
  const databaseWait = () => (database.engine === "postgres" ? database.usage().wait : 0);
  const headers = fixedHeaders(env);
  const listening = await listen(app, { ...env, log, headers, onShed, countWaiting, databaseWait });
  const { url } = listening;
  if (demo) await writeDemoAccess(env.dataDir, { url, email: demo.email, password: demo.password });
  // No other process can open this database meanwhile.
  const stopControl =
    isOurs && database.engine === "embedded"
      ? await listenForOperations(
          {
            ...deps,
            readBackup: database.readBackup,
            secrets: async () => env.sessionSecrets,
            webhooksToPrivate: env.webhooksToPrivate,
          },
          env.dataDir,
        )
      : undefined;
  const stopBackground =
    env.role === "web" ? undefined : startBackground(deps, { url, alone: database.engine === "embedded" });
  const stopWatch = startStatusWatch(deps, figures);
  log.info({ url, mode: env.mode, role: env.role, database: database.engine }, "listening");

  return {
    url,
    ...(demo && { demo }),
    ...stops.describeEnd(listening, {
      log,
      stopBackground,
      async release() {
        await stopWatch();
        await stopControl?.();
        await tracer?.close();
        await release();
      },
    }),
  };
}

/** Starts a server in front of another backend. It has nothing to open, to keep or to do in the background. */
async function serveFront({ env, log, build }: { env: FrontEnv; log: Logger; build: Build }): Promise<RunningServer> {
  const stops = createStops();
  const tracer = await openTracer(env.traceEndpoint);
  for (const sentence of findIgnored(env)) log.warn(sentence);
  const status = createFrontBoard();
  const metrics = createMetrics();
  const app = composeFront({ env, log, metrics, status, ...build, ...stops.parts, tracer });
  const listening = await listen(app, { ...env, log, headers: fixedHeaders(env), onShed: () => metrics.shed.inc() });
  const stopWatch = watchBackend({ metrics, status }, createBackendCheck(env));
  log.info({ url: listening.url, mode: env.mode, api: env.apiUrl }, "listening");
  return {
    url: listening.url,
    ...stops.describeEnd(listening, {
      log,
      async release() {
        stopWatch();
        await tracer?.close();
      },
    }),
  };
}

type Ends = { log: Logger; stopBackground?: (() => Promise<void>) | undefined; release?: () => Promise<void> };

/** Describes how a server ends, in order. */
function createStops() {
  let isLeaving = false;
  const stopping = new AbortController();
  return {
    /** For the code that assembles the server. */
    parts: { isLeaving: () => isLeaving, stopping: stopping.signal },

    describeEnd: ({ drain, leave }: Listening, { log, release, stopBackground }: Ends) => ({
      leave() {
        isLeaving = true;
        leave();
      },
      async close() {
        isLeaving = true;
        stopping.abort();
        const ended = stopBackground?.() ?? Promise.resolve();
        const [hasDrained, hasStopped] = await Promise.all([drain(DEADLINE), endsWithin(DEADLINE, ended)]);
        const inTime = hasDrained && hasStopped;
        await release?.();
        log.info({ inTime }, "closed");
        return inTime;
      },
    }),
  };
}

async function loadBuild(): Promise<Build> {
  if (!existsSync(BUILD.pages)) throw new StartError("The pages are not built yet: run `npm run build` first.");
  const { createPages }: { createPages: CreatePages } = await import(BUILD.pages.href);
  return { createPages, staticFiles: await readStaticFiles(BUILD.client) };
}

/** Adds the secrets that production requires. A demo creates them once. */
export async function withDemoSecrets(env: Env): Promise<ReadyEnv> {
  const { mode, dataDir, demoPassword } = env;
  return {
    ...env,
    sessionSecrets: await readSessionSecrets(env, { makes: true }),
    demoPassword: demoPassword ?? (mode === "demo" ? await loadOrCreateSecret(dataDir, "demo-password", 9) : undefined),
  };
}
