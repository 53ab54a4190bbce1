import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "./fault.ts";
import { startLoad } from "./load.ts";
import { expectAlive, expectResponses } from "./outage.ts";
import { openStage, type Process } from "./stage.ts";
import { expectTruth } from "./truth.ts";

/** The time between two measurements, in milliseconds, and the share of the run that is warm-up. */
const SAMPLE_INTERVAL_MS = 5_000;
const WARM_UP = 0.3;
/** How many bytes the live heap may grow per request. A request that is kept has a thousand or more. */
const GROWTH = 100;

type Sample = { asked: number; heap: number };

/** Returns the size of a process's live heap, after a garbage collection. */
async function measureHeap(process: Process): Promise<number> {
  const seen = process.log().length;
  process.child.kill("SIGUSR2");
  for (;;) {
    const found = /heap (\d+)\n/.exec(process.log().slice(seen))?.[1];
    if (found) return Number(found);
    if (process.child.exitCode !== null || process.child.signalCode !== null)
      throw new Error(`The process has ended:\n${process.log()}`);
    await pause(20);
  }
}

const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the slope of the regression line through all measurements, in bytes per request. */
function slopeOf(samples: Sample[]): number {
  const [x, y] = [meanOf(samples.map(({ asked }) => asked)), meanOf(samples.map(({ heap }) => heap))];
  const over = samples.reduce((sum, { asked, heap }) => sum + (asked - x) * (heap - y), 0);
  return over / samples.reduce((sum, { asked }) => sum + (asked - x) ** 2, 0);
}

export const memory: Fault = {
  name: "memory",
  title: "Load for --minutes: the live heap does not grow",
  finds: /bytes more/,
  planted: {
    file: "server/http/middleware/request-log.ts",
    from: "await next();",
    to: "((globalThis as any).kept ??= []).push({ of: 'x'.repeat(1000) + Math.random(), request: c.req.raw.url });\n    await next();",
  },
  async run(report, { defect, minutes }) {
    const probe = new URL("./heap-probe.ts", import.meta.url).href;
    const stage = await openStage({
      defect,
      nodeOptions: ["--expose-gc", `--import=${probe}`],
      seeds: { campaigns: 3000 },
    });
    try {
      const web = await stage.started("web");
      const load = startLoad(stage.seeded, () => stage);
      const samples: Sample[] = [];
      const end = performance.now() + minutes * 60_000;
      while (performance.now() < end) {
        await pause(SAMPLE_INTERVAL_MS);
        samples.push({ heap: await measureHeap(web), asked: load.asked.length });
      }
      await load.stop();
      const warm = samples.slice(Math.ceil(samples.length * WARM_UP));
      const [first, last] = [warm[0], warm.at(-1)];
      if (!first || !last) throw new Error("That was too short for a look");
      const inMegabytes = ({ heap }: Sample) => `${(heap / 1e6).toFixed(1)} MB`;
      report.note(
        `${warm.length} looks after ${first.asked} requests: ${inMegabytes(first)}, and ${inMegabytes(last)} after ${last.asked}`,
      );
      const slope = slopeOf(warm);
      report.expect(`${slope.toFixed(0)} bytes more for each request: at most ${GROWTH}`, slope <= GROWTH);
      expectResponses(report, load.asked);
      expectAlive(report, [web]);
      await expectTruth(report, load.promised, { url: stage.url, databaseUrl: stage.databaseUrl() });
    } finally {
      await stage.close();
    }
  },
};
