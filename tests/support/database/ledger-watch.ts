import { Client } from "pg";

/** Selects the members whose ledger, totals, daily sums or heartbeats disagree, in one snapshot of all tables. */
export const UNEQUAL = `
  with ledger as (select user_id, sum(points) as points, count(*) as entries from points_ledger group by 1),
  totals as (select user_id, connectivity + referral + rewards + others as points from points_totals),
  daily as (select user_id, sum(points) as points, sum(entries) as entries from points_daily group by 1),
  beats as (select user_id, count(*) as count from heartbeats group by 1),
  paid as (select user_id, count(*) as count from points_ledger where source = 'heartbeat' group by 1)
  select user_id, ledger.points as ledger, totals.points as totals, daily.points as daily
  from ledger full join totals using (user_id) full join daily using (user_id)
    full join beats using (user_id) full join paid using (user_id) full join heartbeat_totals using (user_id)
  where (ledger.points, ledger.points, ledger.entries, beats.count, beats.count)
    is distinct from (totals.points, daily.points, daily.entries, paid.count, heartbeat_totals.heartbeats)`;

export type LedgerWatch = {
  /** Keeps comparing while some work runs, at least once, however quick that is. Resolves to the work's result. */
  during<Result>(work: Promise<Result>): Promise<Result>;
  /** Every disagreement found so far. */
  unequal: unknown[];
  close(): Promise<void>;
};

/** Compares the ledger with its sums, on its own connection. */
export async function watchLedger(databaseUrl: string | undefined): Promise<LedgerWatch> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const unequal: unknown[] = [];

  async function during<Result>(work: Promise<Result>): Promise<Result> {
    const ended = new AbortController();
    async function compare() {
      do unequal.push(...(await client.query(UNEQUAL)).rows);
      while (!ended.signal.aborted);
    }
    const [result] = await Promise.all([work.finally(() => ended.abort()), compare()]);
    return result;
  }
  return { during, unequal, close: () => client.end() };
}
