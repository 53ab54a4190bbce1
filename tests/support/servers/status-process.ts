import type { Database } from "../../../server/db/client.ts";
import { createMetrics } from "../../../server/metrics/metrics.ts";
import { createBoard } from "../../../server/status/board.ts";
import { PartId, type StatusReport } from "../../../server/status/contract.ts";
import { createSampler } from "../../../server/status/sampler.ts";
import { createTestApi, createTestClock, SILENT } from "../api/api.ts";

const MINUTE = 60_000;

/** Opens a process that monitors itself, with a status board. A test can take its database away. */
export function openStatus(
  database: Database,
  { clock = createTestClock(), parts = PartId.options }: StatusOptions = {},
) {
  const metrics = createMetrics();
  metrics.ready.set({ part: "chain" }, 1);
  const status = createBoard({ now: clock.now });
  let isAway = false;
  const guarded = new Proxy(database.db, {
    get(target, name, receiver) {
      if (isAway) throw new Error("the database is away");
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const figures = async () => metrics.ready.set({ part: "database" }, isAway ? 0 : 1);
  const sampler = createSampler({ db: guarded, log: SILENT, metrics, now: clock.now, status }, { figures, parts });
  const api = createTestApi(database, { now: clock.now, metrics, status });
  const setAway = (away: boolean) => (isAway = away);
  return { api, clock, metrics, sampler, setAway, status };
}
type Clock = ReturnType<typeof createTestClock>;
type Opened = ReturnType<typeof openStatus>;
export type StatusOptions = { clock?: Clock; parts?: PartId[] };

/** Takes a sample in each of this many minutes, one after the other. */
export async function pass({ clock, sampler }: Opened, minutes: number) {
  for (let minute = 0; minute < minutes; minute += 1) {
    await sampler.tick();
    clock.advance(MINUTE);
  }
  await sampler.tick();
}

export const partOf = ({ parts }: StatusReport, id: PartId) => {
  const part = parts.find((each) => each.id === id);
  if (!part) throw new Error(`no ${id}`);
  return part;
};
