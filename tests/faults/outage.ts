import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Options, Report } from "./fault.ts";
import { startLoad, type LoadResult, type Load } from "./load.ts";
import { openStage, type Process, type Stage } from "./stage.ts";
import { startTcpProxy, type TcpProxy } from "../support/servers/tcp-proxy.ts";
import { expectTruth } from "./truth.ts";

/** In milliseconds. */
const SECOND = 1_000;
const RESPONSE_LIMIT_MS = 2 * SECOND;

type Outage = {
  begin: (stage: Stage, front: TcpProxy) => unknown;
  end: (stage: Stage, front: TcpProxy) => unknown;
  /** Checks what else must be true in the end. */
  after?: (stage: Stage, load: Load) => Promise<void>;
  /** How long it lasts, and how long recovery may take. */
  seconds: number;
  recovery: number;
  /** Whether members can still read meanwhile. */
  reads?: boolean;
  stage?: Parameters<typeof openStage>[0];
  /** Which outcomes are allowed in addition to the usual ones. */
  allows?: (asked: LoadResult) => boolean;
};

/** Puts load on one web process, and lets something go wrong in the middle that ends by itself. */
export async function runOutage(report: Report, { times, defect, seconds = Infinity }: Options, outage: Outage) {
  const stage = await openStage({ ...outage.stage, defect });
  const front = await startTcpProxy(Number(new URL(stage.url).port));
  try {
    const processes = await Promise.all([stage.started("web"), stage.started("worker")]);
    const load = startLoad(stage.seeded, () => front);
    const delay = monitorEventLoopDelay({ resolution: 20 });
    delay.enable();
    await pause(2 * SECOND);
    const warmAt = performance.now();
    const recoveries: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const begun = performance.now();
      await outage.begin(stage, front);
      await pause(Math.min(outage.seconds, seconds) * SECOND);
      await outage.end(stage, front);
      describeOutage(
        report,
        load.asked.filter(({ at }) => at >= begun),
      );
      recoveries.push(await stage.untilWell());
    }
    await pause(SECOND);
    await load.stop();
    report.note(`this machine let a process that does little wait for up to ${inSeconds(delay.max / 1e6)} by itself`);
    expectResponses(
      report,
      load.asked.filter(({ at }) => at >= warmAt),
      outage.allows,
    );
    const slowest = Math.max(...recoveries);
    report.expect(
      `all is well ${inSeconds(slowest)} after it is over, without a hand: within ${outage.recovery} s`,
      slowest <= outage.recovery * SECOND,
    );
    expectAlive(report, processes);
    if (outage.reads) expectReads(report, load.asked, stage.seeded.members.length);
    await outage.after?.(stage, load);
    await expectTruth(report, load.promised, { url: stage.url, databaseUrl: stage.databaseUrl() });
  } finally {
    await front.stop();
    await stage.close();
  }
}

/** Expects that every response came in time and was useful to a member. */
export function expectResponses(
  report: Report,
  asked: LoadResult[],
  allows: (asked: LoadResult) => boolean = () => false,
) {
  const slowest = asked.reduce((slowest, each) => (each.ms > slowest.ms ? each : slowest));
  const late = asked.filter(({ ms }) => ms > RESPONSE_LIMIT_MS).length;
  report.expect(
    `${asked.length} requests: ${late} took longer than 2 s, the slowest (${slowest.what}) ${inSeconds(slowest.ms)}`,
    late === 0,
  );
  const bad = asked.filter((each) => each.outcome !== "done" && each.outcome !== "busy" && !allows(each));
  report.expect(`each was done, or told when to come back (${count(asked)})`, bad.length === 0);
  if (bad.length > 0)
    report.note(`of these: ${count(bad, ({ what, outcome, status }) => `${what} ${outcome} ${status ?? ""}`)}`);
}

function describeOutage(report: Report, asked: LoadResult[]) {
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  report.note(
    `meanwhile: ${count(asked)}; half of them within ${inSeconds(median)}, all within ${inSeconds(times.at(-1) ?? 0)}`,
  );
}

/** Expects that nearly all reads succeed. At the start, the request that each member has under way may be cut off. */
function expectReads(report: Report, asked: LoadResult[], members: number) {
  const reads = asked.filter(({ what }) => ["stats", "log", "page"].includes(what));
  const refused = reads.filter(({ outcome }) => outcome !== "done").length;
  report.expect(`${refused} of ${reads.length} reads were refused: at most one a member`, refused <= members);
}

export function expectAlive(report: Report, processes: Process[]) {
  const ended = processes.filter(({ child }) => child.exitCode !== null || child.signalCode !== null);
  report.expect("no process has ended", ended.length === 0);
}

export const inSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;

/** Counts the requests of each kind. */
export function count(asked: LoadResult[], nameOf = ({ outcome }: LoadResult): string => outcome): string {
  const counts = Object.entries(Object.groupBy(asked, nameOf)).map(([name, each]) => `${each?.length ?? 0} ${name}`);
  return counts.join(", ") || "none";
}
