import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { isRunnableDevEnvironment, type Plugin, type RunnableDevEnvironment } from "vite";
import type * as working from "../boot/background.ts";
import type * as composition from "../boot/compose.ts";
import type * as client from "../db/client.ts";
import type * as demonstration from "../boot/demo.ts";
import type * as fronting from "../boot/front.ts";
import type * as settings from "../env.ts";
import type * as logging from "../log/log.ts";
import type * as operating from "../ops/control-server.ts";
import type * as pagesModule from "../pages.ts";
import type * as starting from "../boot/start.ts";

/**
 * Runs `npm run dev`: the same server as in production, but behind Vite and loaded by its module runner. A change of
 * any file in `server/` or `app/` takes effect with the next request. Settings and database are opened once.
 */
export function devServerPlugin(): Plugin {
  return {
    name: "nodebeat:dev-server",
    apply: "serve",
    config() {
      if (existsSync(".env")) process.loadEnvFile();
      return { server: { port: Number(process.env.PORT ?? 3000) } };
    },
    async configureServer(vite) {
      const { ssr } = vite.environments;
      if (!isRunnableDevEnvironment(ssr)) throw new Error("The ssr environment must run in this process.");
      const compose = createComposer(ssr, await getServices(vite.config.root, vite.config.server.port));

      // Run after Vite's own files, but before React Router's handler, which knows neither the API nor our headers.
      return () => {
        vite.middlewares.use((incoming, outgoing, next) => {
          compose().then((listener) => listener(incoming, outgoing), next);
        });
      };
    },
  };
}

type Services = Awaited<ReturnType<typeof openServices>>;

/** Assembles the server again whenever the runner has reloaded one of its three entries. */
function createComposer({ runner }: RunnableDevEnvironment, services: Services) {
  let loaded: unknown[] = [];
  let listener: ReturnType<typeof getRequestListener> | undefined;

  return async () => {
    const { compose, createDeps }: typeof composition = await runner.import("/server/boot/compose.ts");
    const { composeFront }: typeof fronting = await runner.import("/server/boot/front.ts");
    const { createPages }: typeof pagesModule = await runner.import("/server/pages.ts");
    const entries = [compose, composeFront, createPages];
    if (!listener || entries.some((entry, index) => entry !== loaded[index])) {
      const surroundings = {
        createPages,
        staticFiles: new Map(),
        isLeaving: () => false,
        stopping: new AbortController().signal,
        development: true,
      };
      const app = services.database
        ? compose({ deps: createDeps(services.env, services.database, services.log), ...services, ...surroundings })
        : composeFront({ ...services, ...surroundings });
      listener = getRequestListener(app.fetch);
      loaded = entries;
    }
    return listener;
  };
}

const SERVICES = Symbol.for("nodebeat.dev.services");
const globals: typeof globalThis & { [SERVICES]?: Promise<Services> } = globalThis;

/** Keeps the database: Vite restarts in the same process when its configuration changes, and loads this file again. */
const getServices = (root: string, port: number): Promise<Services> => (globals[SERVICES] ??= openServices(root, port));

async function openServices(root: string, port: number) {
  // Node loads these itself: bundled into Vite's configuration, the database would not find its files.
  const load = (path: string) => import(pathToFileURL(join(root, path)).href);
  const { readEnv }: typeof settings = await load("server/env.ts");
  const { withDemoSecrets }: typeof starting = await load("server/boot/start.ts");
  const { createLog }: typeof logging = await load("server/log/log.ts");
  const { openDatabase }: typeof client = await load("server/db/client.ts");
  const { createDeps }: typeof composition = await load("server/boot/compose.ts");
  const { prepareDemo }: typeof demonstration = await load("server/boot/demo.ts");
  const { startBackground }: typeof working = await load("server/boot/background.ts");
  const { listenForOperations }: typeof operating = await load("server/ops/control-server.ts");

  const { isFront }: typeof fronting = await load("server/boot/front.ts");
  const given = readEnv(process.env);
  const log = createLog({ level: given.logLevel });
  if (isFront(given)) return { env: given, log, database: undefined };
  const env = await withDemoSecrets(given);
  const database = await openDatabase({ ...env, log });
  const deps = createDeps(env, database, log);
  const demo = await prepareDemo(deps);
  if (demo) {
    const members = [demo.email, demo.tester].map((email) => email.replace("@", " at ")).join(" or ");
    log.info(`sign in as ${members} with the password in ${env.dataDir}/demo-password`);
  }
  startBackground(deps, { url: `http://localhost:${port}`, alone: database.engine === "embedded" });
  const secrets = async () => env.sessionSecrets;
  if (database.engine === "embedded")
    await listenForOperations(
      { ...deps, readBackup: database.readBackup, secrets, webhooksToPrivate: env.webhooksToPrivate },
      env.dataDir,
    );
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void database.close().finally(() => process.exit()));
  }
  return { env, log, database };
}
