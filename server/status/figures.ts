import type { Metrics } from "../metrics/metrics.ts";

type Responses = { all: number; failed: number };

/** The figures of /metrics that the status is based on, at one moment. Counters count from the start of the process. */
export type Figures = {
  isDatabaseReady: boolean;
  /** The database answers, but takes no writes. */
  isReadOnly: boolean;
  isChainReady: boolean;
  answers: Responses;
  /** The responses to calls that only read. */
  reads: Responses;
  /** Calls that bring heartbeats. `within` says how many took at most so many seconds. */
  beats: Responses & { within: ReadonlyMap<number, number> };
  mails: { sent: number; failed: number };
  /** By kind. */
  queued: ReadonlyMap<string, number>;
  failing: ReadonlyMap<string, number>;
  oldestDueSeconds: ReadonlyMap<string, number>;
};

const BEATS = "/api/heartbeats";

/** Reads the same metrics that Prometheus gets. */
export async function readFigures(metrics: Metrics): Promise<Figures> {
  const [ready, readOnly, requests, mails, jobs, failing, oldest] = await Promise.all([
    byLabel(metrics.ready, "part"),
    metrics.readOnly.get(),
    metrics.requests.get(),
    byLabel(metrics.mails, "outcome"),
    byLabel(metrics.jobs, "kind"),
    byLabel(metrics.failingJobs, "kind"),
    byLabel(metrics.oldestJob, "kind"),
  ]);
  const counts = requests.values.map(({ labels, metricName, value }) => ({
    isCount: metricName?.endsWith("_count") ?? false,
    le: "le" in labels ? labels.le : undefined,
    isFailed: labels.status === "5xx",
    isRead: labels.method === "GET" || labels.method === "HEAD",
    route: String(labels.route),
    value,
  }));
  const sum = (list: typeof counts) => list.reduce((total, { value }) => total + value, 0);
  const answersOf = (isWanted: (each: (typeof counts)[number]) => boolean): Responses => {
    const wanted = counts.filter((each) => each.isCount && isWanted(each));
    return { all: sum(wanted), failed: sum(wanted.filter(({ isFailed }) => isFailed)) };
  };
  const within = Map.groupBy(
    counts.filter(({ le, route }) => route === BEATS && typeof le === "number"),
    ({ le }) => Number(le),
  );
  return {
    isDatabaseReady: ready.get("database") === 1,
    isChainReady: ready.get("chain") === 1,
    isReadOnly: readOnly.values[0]?.value === 1,
    answers: answersOf(({ route }) => route.startsWith("/api/")),
    reads: answersOf(({ isRead, route }) => isRead && route.startsWith("/api/")),
    beats: {
      ...answersOf(({ route }) => route === BEATS),
      within: new Map([...within].map(([seconds, list]) => [seconds, sum(list)])),
    },
    mails: { sent: mails.get("sent") ?? 0, failed: mails.get("failed") ?? 0 },
    queued: jobs,
    failing,
    oldestDueSeconds: oldest,
  };
}

type Readable = {
  get: () => Promise<{ values: { labels: Partial<Record<string, string | number>>; value: number }[] }>;
};

async function byLabel(metric: Readable, label: string): Promise<Map<string, number>> {
  const { values } = await metric.get();
  return new Map(values.map(({ labels, value }) => [String(labels[label]), value]));
}
