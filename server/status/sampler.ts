import type { Db } from "../db/client.ts";
import { inTransaction, limitStatements } from "../db/transaction.ts";
import type { Logger } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Board, History } from "./board.ts";
import { PartId } from "./contract.ts";
import { readFigures, type Figures } from "./figures.ts";
import { describeIncident } from "./incidents.ts";
import { countStreak, judge, worst, type Grade, type Seen } from "./judge.ts";
import * as queries from "./queries.ts";

const MINUTE_MS = 60_000;

/** Milliseconds between two checks. */
export const CHECK_INTERVAL_MS = 15_000;

/** How many minutes are kept in memory while the database is unavailable: one day. */
const MAX_MINUTES = 24 * 60;

/** How long what another process has seen counts as current, in milliseconds. */
const LATELY = 3 * MINUTE_MS;

type SamplerDeps = { db: Db; log: Logger; metrics: Metrics; now: () => Date; status: Board };
type SamplerOptions = {
  /** Updates the figures of /metrics. */
  figures: () => Promise<void>;
  /** The parts that this process can check. */
  parts: readonly PartId[];
  /** Whether this process sends mail, and so knows whether that fails. Absent means that it does. */
  sendsMail?: boolean;
};

/**
 * Creates the sampler. It checks the figures of /metrics regularly, and saves each minute once it is over. While the
 * database is unavailable, it keeps the minutes and saves them later, so that an outage of the database is recorded if
 * any process has seen it.
 */
export function createSampler(deps: SamplerDeps, { figures, parts, sendsMail = true }: SamplerOptions) {
  const { db, log, metrics, now, status } = deps;
  const minutes = new Map<number, Map<PartId, Seen>>();
  let before: Figures | undefined;
  let streak = 0;

  async function sample(): Promise<void> {
    await figures();
    const present = await readFigures(metrics);
    streak = countStreak(before ?? present, present, streak);
    const all = judge(before ?? present, present, sendsMail ? streak : undefined);
    before = present;
    const seen = Object.fromEntries(parts.flatMap((part) => (all[part] ? [[part, all[part]]] : [])));
    status.see(seen);
    take(Math.floor(now().getTime() / MINUTE_MS), seen);
  }

  function take(minute: number, seen: Partial<Record<PartId, Seen>>) {
    const known = minutes.get(minute) ?? new Map<PartId, Seen>();
    for (const part of parts) {
      const found = seen[part];
      if (found) known.set(part, join(known.get(part), found));
    }
    minutes.set(minute, known);
    for (const oldest of minutes.keys()) {
      if (minutes.size <= MAX_MINUTES) break;
      minutes.delete(oldest);
    }
  }

  /** Saves the minutes that are over, and reads what all processes have saved. */
  async function store(also?: "the present minute"): Promise<void> {
    const at = now();
    const over = [...minutes].filter(([minute]) => also || (minute + 1) * MINUTE_MS <= at.getTime());
    // If the machine was asleep for days, earlier minutes are dropped: others of their day may have been removed
    // already.
    const recent = over.filter(([minute]) => minute * MINUTE_MS > at.getTime() - queries.WRITTEN_WITHIN_MS);
    const samples = recent.flatMap(([minute, found]) => [...found].map(([part, seen]) => toSample(part, minute, seen)));
    const known = await inTransaction(db, async (tx) => {
      await limitStatements(tx, 5_000);
      const [first] = samples;
      if (first) {
        await queries.saveSamples(tx, samples.toSorted(inOrder));
        await queries.countDays(tx, first.minute);
      }
      return readHistory(tx, at);
    });
    for (const [minute] of over) minutes.delete(minute);
    status.remember(known);
  }

  return {
    sample,
    store,
    /** Does both once. What cannot be saved now is tried again. */
    async tick(): Promise<void> {
      await sample();
      await store().catch((err: unknown) => log.debug({ err }, UNWRITTEN));
    },
    /** Saves everything, so that a restart within the minute leaves no gap. */
    async end(): Promise<void> {
      await store("the present minute").catch((err: unknown) => log.debug({ err }, UNWRITTEN));
    },
  };
}

const UNWRITTEN = "the status could not be written down";

const join = (one: Seen | undefined, other: Seen): Seen => ({
  grade: worst(one?.grade ?? 0, other.grade),
  lagSeconds: Math.max(one?.lagSeconds ?? 0, other.lagSeconds ?? 0) || null,
});

const toSample = (part: PartId, minute: number, { grade, lagSeconds }: Seen): queries.Sample => ({
  part,
  minute: new Date(minute * MINUTE_MS),
  state: grade,
  lagMs: lagSeconds ? Math.round(lagSeconds * 1000) : null,
});

/** The same order in every process, so that no two wait for each other. */
const inOrder = (one: queries.Sample, other: queries.Sample) =>
  one.part.localeCompare(other.part) || one.minute.getTime() - other.minute.getTime();

async function readHistory(tx: Parameters<typeof queries.findDays>[0], at: Date): Promise<History> {
  const days = await queries.findDays(tx);
  const samples = await queries.findSamples(tx, { since: new Date(at.getTime() - LATELY), until: at });
  const incidents = await queries.findIncidents(tx, { now: at });
  const latest: History["latest"] = {};
  for (const { lagMs, part, state } of samples) {
    const id = PartId.safeParse(part).data;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has no other states
    if (id) latest[id] = { grade: state as Grade, lagSeconds: lagMs === null ? null : lagMs / 1000 };
  }
  // The current minute has not been saved yet, and perhaps not the previous one by the process that will save it.
  const written = (samples.at(-1)?.minute.getTime() ?? 0) + MINUTE_MS;
  const until = new Date(Math.max(written, Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS - MINUTE_MS));
  return { until, days, latest, incidents: incidents.map(describeIncident) };
}
