import { setTimeout as pause } from "node:timers/promises";
import type { Options, Report } from "./fault.ts";
import { startLoad, type Asked } from "./load.ts";
import { openStage, type Process, type Stage } from "./stage.ts";
import { expectTruth } from "./truth.ts";

/** Milliseconds. */
const SECOND = 1_000;
const ANSWER_LIMIT = 2 * SECOND;

type Outage = {
  begin: (stage: Stage) => unknown;
  end: (stage: Stage) => unknown;
  /** How long it lasts, and how long it may take until all is well again. */
  seconds: number;
  recovery: number;
  /** Whether members read on meanwhile. */
  reads?: boolean;
  stage?: Parameters<typeof openStage>[0];
  /** Outcomes that may happen beside those that always may. */
  allows?: Asked["outcome"][];
};

/** Load on one web process, with something wrong in its middle that goes away by itself. */
export async function sufferOutage(report: Report, { times, defect }: Options, outage: Outage) {
  const stage = await openStage({ ...outage.stage, defect });
  try {
    const processes = await Promise.all([stage.started("web"), stage.started("worker")]);
    const load = startLoad(stage.seeded, () => stage);
    await pause(2 * SECOND);
    const recoveries: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const begun = performance.now();
      await outage.begin(stage);
      await pause(outage.seconds * SECOND);
      await outage.end(stage);
      describeOutage(report, load.asked.filter(({ at }) => at >= begun));
      recoveries.push(await stage.untilWell());
    }
    await pause(SECOND);
    await load.stop();
    expectAnswers(report, load.asked, outage.allows);
    const slowest = Math.max(...recoveries);
    report.expect(
      `all is well ${inSeconds(slowest)} after it is over, without a hand: within ${outage.recovery} s`,
      slowest <= outage.recovery * SECOND,
    );
    expectAlive(report, processes);
    if (outage.reads) expectReads(report, load.asked);
    await expectTruth(report, load.promised, stage);
  } finally {
    await stage.close();
  }
}

/** Every answer came in time and was one of those that a member can do something with. */
export function expectAnswers(report: Report, asked: Asked[], allows: Asked["outcome"][] = []) {
  const slowest = asked.reduce((slowest, each) => (each.ms > slowest.ms ? each : slowest));
  const late = asked.filter(({ ms }) => ms > ANSWER_LIMIT).length;
  report.expect(
    `${asked.length} requests: ${late} took longer than 2 s, the slowest (${slowest.what}) ${inSeconds(slowest.ms)}`,
    late === 0,
  );
  const bad = asked.filter(({ outcome }) => !["done", "busy", ...allows].includes(outcome));
  report.expect(`each was done, or told when to come back (${count(asked)})`, bad.length === 0);
  if (bad.length > 0) report.tell(`of these: ${count(bad, ({ what, outcome, status }) => `${what} ${outcome} ${status ?? ""}`)}`);
}

function describeOutage(report: Report, asked: Asked[]) {
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  report.tell(`meanwhile: ${count(asked)}; half of them within ${inSeconds(median)}, all within ${inSeconds(times.at(-1) ?? 0)}`);
}

function expectReads(report: Report, asked: Asked[]) {
  const reads = asked.filter(({ what }) => ["stats", "log", "page"].includes(what));
  const refused = reads.filter(({ outcome }) => outcome !== "done").length;
  report.expect(`${refused} of ${reads.length} reads were refused: at most one in a hundred`, refused * 100 <= reads.length);
}

export function expectAlive(report: Report, processes: Process[]) {
  const ended = processes.filter(({ child }) => child.exitCode !== null || child.signalCode !== null);
  report.expect("no process has ended", ended.length === 0);
}

export const inSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;

/** How many of each kind. */
export function count(asked: Asked[], nameOf = ({ outcome }: Asked): string => outcome): string {
  const counts = Object.entries(Object.groupBy(asked, nameOf)).map(([name, each]) => `${each?.length ?? 0} ${name}`);
  return counts.join(", ") || "none";
}
