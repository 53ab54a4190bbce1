import { createTestApi, createTestClock, SILENT } from "../../tests/support/api/api.ts";
import { createMeasuredApp, readMetricLines } from "../../tests/support/servers/measured-app.ts";
import type { Database } from "../db/client.ts";
import { withTimeLimit } from "../db/time-budget.ts";
import { Replica } from "../db/replica.ts";
import { readProfile } from "../profile/contract.ts";

/** As long as a busy machine may take. */
const PATIENT = { every: 20, mostLag: 60_000, connectLimit: 20_000, queryLimit: 20_000, readLimit: 20_000 };

export const openReplica = ({ pool }: Database, url: string, rules?: Partial<typeof PATIENT>) =>
  new Replica(url, { primary: pool, poolSize: 4, log: SILENT, rules: { ...PATIENT, ...rules } });

export type Process = ReturnType<typeof describe>;

/** Creates a process that serves members. */
export function describe(database: Database, its: Replica | undefined) {
  // The clock stands still, because a new day would be an event for every open page.
  const api = createTestApi(database, { now: createTestClock().now, replica: its });
  const { scrape } = createMeasuredApp(api.deps, database);
  async function count(outcome: string) {
    const line = readMetricLines(await scrape(), "replica_reads_total").find((each) => each.includes(`"${outcome}"`));
    return Number(line?.split(" ").at(-1));
  }
  return {
    api,
    count,
    readLag: async () => Number(readMetricLines(await scrape(), "replica_lag_seconds")[0]?.split(" ")[1]),
    database,
    replica: its,
    /** Reads the member's name, with a deadline for the request as a whole. */
    nameOf: async (token: string) => (await withTimeLimit(20_000, () => api.read(readProfile, { token }))).full_name,
  };
}

export const close = async ({ database, replica }: Process) =>
  void (await Promise.all([replica?.close(), database.close()]));
