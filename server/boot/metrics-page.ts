import { collectDefaultMetrics } from "prom-client";
import type { Database } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { endsWithin } from "../ends-within.ts";
import type { Env } from "../env.ts";
import type { MetricsPage } from "../http/metrics-routes.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { readQueueFigures, type QueueFigures } from "../network/queue-figures.ts";
import { readHeldFigures } from "../webhooks/held-figures.ts";

/** How often to measure the queue at most, and how long a reader waits for that, in milliseconds. */
const CHECK_INTERVAL_MS = 5_000;
const TIMEOUT_MS = 1_000;

type Process = { env: Pick<Env, "metricsToken">; metrics: Metrics };

/**
 * Creates the page that Prometheus reads. For a process with a database, `refresh` updates the figures about its state
 * and its queue. Without a token there is no such page, and nothing is measured for it.
 */
export function createMetricsPage({ env, metrics }: Process, refresh?: () => Promise<void>): MetricsPage {
  const { registry } = metrics;
  if (env.metricsToken) collectDefaultMetrics({ register: registry });
  return {
    token: env.metricsToken,
    contentType: registry.contentType,
    async render() {
      await refresh?.();
      return registry.metrics();
    },
  };
}

/** Creates the function that updates the figures, for everybody who reads them: Prometheus and the status alike. */
export function createFigures(deps: Deps, database: Pick<Database, "readiness" | "usage">): () => Promise<void> {
  const { chain, metrics, replica } = deps;
  const look = createQueueMeter(deps);

  function showState() {
    const { idle, inUse, most, waiting } = database.usage();
    metrics.connections.set({ state: "idle" }, idle);
    metrics.connections.set({ state: "in_use" }, inUse);
    metrics.mostConnections.set(most);
    metrics.databaseWaiting.set(waiting);
    if (replica) metrics.replicaLag.set(replica.lag / 1000);
    const readiness = database.readiness();
    metrics.ready.set({ part: "database" }, Number(readiness.ok));
    metrics.readOnly.set(Number(!readiness.ok && readiness.isReadOnly === true));
    metrics.ready.set({ part: "chain" }, Number(chain.isReady()));
    for (const { account, balance } of chain.balances()) metrics.chainBalance.set({ account }, balance);
  }

  return async () => {
    await look();
    showState();
  };
}

/**
 * Measures the queue once for all who ask within CHECK_INTERVAL_MS. If that takes too long, removes its figures.
 */
function createQueueMeter(deps: Deps): () => Promise<void> {
  const { log, metrics, now } = deps;
  let lookedAt = -Infinity;
  let looking: Promise<void> | undefined;

  function show({ jobs, chainJobs }: QueueFigures) {
    for (const { failing, kind, oldestDueSeconds, queued } of jobs) {
      metrics.jobs.set({ kind }, queued);
      metrics.failingJobs.set({ kind }, failing);
      metrics.oldestJob.set({ kind }, oldestDueSeconds);
    }
    for (const { queued, state } of chainJobs) metrics.chainJobs.set({ state }, queued);
  }

  async function measureQueue() {
    try {
      const figures = await readQueueFigures(deps);
      const { held, oldestSeconds } = await readHeldFigures(deps);
      forget();
      show(figures);
      metrics.heldMessages.set(held);
      metrics.oldestHeld.set(oldestSeconds);
    } catch (error) {
      forget();
      log.debug({ err: error }, "the queue could not be measured");
    }
  }

  function forget() {
    for (const figure of [metrics.jobs, metrics.failingJobs, metrics.oldestJob, metrics.chainJobs]) figure.reset();
    // Remove these, because a figure without a label would be reset to 0.
    for (const figure of [metrics.heldMessages, metrics.oldestHeld]) figure.remove();
  }

  return async () => {
    const at = now().getTime();
    // The clock may have been set back since then.
    if (!looking && Math.abs(at - lookedAt) < CHECK_INTERVAL_MS) return;
    if (!looking) {
      lookedAt = at;
      looking = measureQueue().finally(() => (looking = undefined));
    }
    if (!(await endsWithin(TIMEOUT_MS, looking))) forget();
  };
}
