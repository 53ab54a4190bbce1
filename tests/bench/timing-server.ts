import { Hono } from "hono";
import { createApi } from "../../server/api.ts";
import { createFigures, createMetricsPage } from "../../server/boot/metrics-page.ts";
import { registerMember } from "../../server/auth/sign-up/registration.ts";
import { openDatabase } from "../../server/db/client.ts";
import { readEnv } from "../../server/env.ts";
import { createApp } from "../../server/http/app.ts";
import { listen } from "../../server/http/listening/listen.ts";
import { fixedHeaders } from "../../server/http/middleware/security-headers.ts";
import { createLog } from "../../server/log/log.ts";
import { createTestDeps, TEST_PASSWORD } from "../support/api/api.ts";
import { leak, leakEndpoints } from "./timing-leaks.ts";

/*
 * The API over HTTP in its own process, for the timing benchmark: with everything around it except the pages and the
 * delivery of emails. The parent registers members and advances the clock over IPC.
 */

export type TimingServerOptions = { databaseUrl: string; leaky: boolean };
export type TimingServerRequest = { advance: number } | { register: string[] };

const options = JSON.parse(process.argv[2] ?? "{}") as TimingServerOptions;
const env = readEnv({ LOG_LEVEL: "silent", TRUSTED_PROXIES: "127.0.0.1", HOST: "127.0.0.1", PORT: "0" });
const log = createLog({ level: "silent" });
const database = await openDatabase({ databaseUrl: options.databaseUrl, dataDir: "", log });
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
const honest = createTestDeps(database, { env, now });
const deps = options.leaky ? leak(honest) : honest;

const app = createApp({
  env,
  log,
  api: createApi(deps).http,
  pages: async () => new Response("There are no pages here.", { status: 404 }),
  staticFiles: new Map(),
  share: new Hono(),
  stopping: new AbortController().signal,
  health: {
    reason: "database",
    check: () => database.check(),
    checkChain: () => deps.chain.check(),
    isLeaving: () => false,
  },
  metrics: deps.metrics,
  metricsPage: createMetricsPage(deps, createFigures(deps, database)),
});
const served = options.leaky ? leakEndpoints(app, deps) : app;
const { url, drain } = await listen(served, { ...env, log, headers: fixedHeaders(env) });

process.on("message", (request: TimingServerRequest) => {
  void answer(request).then(() => process.send?.("done"));
});
process.once("disconnect", () => void drain(1000).then(() => process.exit(0)));
process.send?.({ url });

async function answer(request: TimingServerRequest) {
  if ("advance" in request) {
    ahead += request.advance;
    return;
  }
  const passwordHash = await deps.passwords.hash(TEST_PASSWORD);
  for (const email of request.register) await registerMember(deps, { email, passwordHash });
}
