import { sql } from "drizzle-orm";
import { backgroundJobs, chainJobs } from "../db/schema.ts";
import { inTransaction, limitStatements } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { CHAIN } from "../chain/submit.ts";

export type QueueFigures = {
  jobs: { kind: string; queued: number; failing: number; oldestDueSeconds: number }[];
  chainJobs: { state: string; queued: number }[];
};

type Row = { kind: string; state: string | null; queued: number; failing: number; oldestDueSeconds: number };

/** After so many attempts it is no hiccup. */
const AGAIN_AND_AGAIN = 3;

/** How much waits in the queue, by the index of what is due. Ends by itself after two seconds. */
export async function readQueueFigures({ db, now }: Pick<Deps, "db" | "now">): Promise<QueueFigures> {
  const at = sql`${now().toISOString()}::timestamptz`;
  const rows = await inTransaction(db, async (tx) => {
    await limitStatements(tx, 2_000);
    const { rows } = await tx.execute<Row>(sql`
      select kind, null as state, count(*)::integer as queued,
        (count(*) filter (where attempts >= ${AGAIN_AND_AGAIN} and last_error is not null))::integer as failing,
        greatest(0, extract(epoch from ${at} - min(due_at)))::float8 as "oldestDueSeconds"
      from ${backgroundJobs} where dead_at is null group by kind
      union all
      select queue.kind, job.state, count(*)::integer, 0, 0
      from ${backgroundJobs} as queue
      join ${chainJobs} as job on job.id = case when queue.kind = ${CHAIN} then queue.key::uuid end
      where queue.kind = ${CHAIN} and queue.dead_at is null group by queue.kind, job.state`);
    return rows;
  });
  return {
    jobs: rows.filter(({ state }) => state === null),
    chainJobs: rows.flatMap(({ state, queued }) => (state === null ? [] : [{ state, queued }])),
  };
}
