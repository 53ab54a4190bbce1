import type { Db, Tx } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Lease } from "../../jobs/job.ts";
import type { Logger } from "../../log/log.ts";
import type { Job } from "../chain-gateway.ts";
import { announceIdentity } from "../announce-identity.ts";
import { changeJob, type JobChange } from "../jobs.queries.ts";
import type { Domains } from "../typed-data.ts";
import type { Factory } from "./boot-check.ts";
import type { Station } from "./station.ts";

/** What every step of a job needs. */
export type Work = {
  db: Db;
  log: Logger;
  now: () => Date;
  station: Station;
  factory: Factory;
  domains: Domains;
  lease: Lease;
};

/**
 * Saves the progress of a job, with what is announced about it and what follows from it. Returns undefined if another
 * process has taken it over.
 */
export async function save(
  work: Work,
  job: Job,
  change: JobChange,
  follow?: (tx: Tx) => Promise<void>,
): Promise<Job | undefined> {
  const { db, lease } = work;
  return inTransaction(db, async (tx) => {
    const changed = await changeJob({ db: tx, lease }, job, { attempts: 0, ...change });
    if (changed && change.completedAt) await announceIdentity(tx, changed, change.completedAt);
    if (changed) await follow?.(tx);
    return changed;
  });
}
