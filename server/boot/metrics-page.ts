import { collectDefaultMetrics } from "prom-client";
import type { Database } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { endsWithin } from "../ends-within.ts";
import type { Env } from "../env.ts";
import type { MetricsPage } from "../http/metrics-routes.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { readQueueFigures, type QueueFigures } from "../network/queue-figures.ts";
import type { Held } from "../webhooks/backlog.queries.ts";
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
  const measureQueue = createMeter(deps, describeQueue(deps));
  const held = describeHeld(deps);
  const measureHeld = createMeter(deps, held);

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
    // Apart from the queue: counting very many messages may take too long. Both at once could wait for connections.
    if (await measureQueue()) await measureHeld();
    else held.forget();
    showState();
  };
}

type Meter<Figures> = {
  name: string;
  read: () => Promise<Figures>;
  show: (figures: Figures) => void;
  forget: () => void;
};

const describeQueue = (deps: Deps): Meter<QueueFigures> => ({
  name: "queue",
  read: () => readQueueFigures(deps),
  show({ jobs, chainJobs }) {
    const { metrics } = deps;
    for (const { failing, kind, oldestDueSeconds, queued } of jobs) {
      metrics.jobs.set({ kind }, queued);
      metrics.failingJobs.set({ kind }, failing);
      metrics.oldestJob.set({ kind }, oldestDueSeconds);
    }
    for (const { queued, state } of chainJobs) metrics.chainJobs.set({ state }, queued);
  },
  forget() {
    const { chainJobs, failingJobs, jobs, oldestJob } = deps.metrics;
    for (const figure of [jobs, failingJobs, oldestJob, chainJobs]) figure.reset();
  },
});

const describeHeld = (deps: Deps): Meter<Held> => ({
  name: "held messages",
  read: () => readHeldFigures(deps),
  show({ held, oldestSeconds }) {
    deps.metrics.heldMessages.set(held);
    deps.metrics.oldestHeld.set(oldestSeconds);
  },
  forget() {
    // Remove these, because a figure without a label would be reset to 0.
    for (const figure of [deps.metrics.heldMessages, deps.metrics.oldestHeld]) figure.remove();
  },
});

/**
 * Measures something once for all who ask within CHECK_INTERVAL_MS. If that fails or takes too long, removes its
 * figures; a late result still puts them back. Resolves to false for those who waited too long.
 */
function createMeter<Figures>(
  { log, now }: Deps,
  { name, forget, read, show }: Meter<Figures>,
): () => Promise<boolean> {
  let measuredAt = -Infinity;
  let measuring: Promise<void> | undefined;

  async function measure() {
    try {
      const figures = await read();
      forget();
      show(figures);
    } catch (error) {
      forget();
      log.debug({ err: error, figures: name }, "figures could not be measured");
    }
  }

  return async () => {
    const at = now().getTime();
    // The clock may have been set back since then.
    if (!measuring && Math.abs(at - measuredAt) < CHECK_INTERVAL_MS) return true;
    if (!measuring) {
      measuredAt = at;
      measuring = measure().finally(() => (measuring = undefined));
    }
    const isInTime = await endsWithin(TIMEOUT_MS, measuring);
    if (!isInTime) forget();
    return isInTime;
  };
}
