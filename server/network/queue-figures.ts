import { inTransaction, limitStatements } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { countQueued } from "./queries.ts";

export type QueueFigures = {
  jobs: { kind: string; queued: number; failing: number; oldestDueSeconds: number }[];
  chainJobs: { state: string; queued: number }[];
};

/** Reads how much is queued. Gives up after two seconds. */
export async function readQueueFigures({ db, now }: Pick<Deps, "db" | "now">): Promise<QueueFigures> {
  const rows = await inTransaction(db, async (tx) => {
    await limitStatements(tx, 2_000);
    return countQueued(tx, now());
  });
  return {
    jobs: rows.filter(({ state }) => state === null),
    chainJobs: rows.flatMap(({ state, queued }) => (state === null ? [] : [{ state, queued }])),
  };
}
