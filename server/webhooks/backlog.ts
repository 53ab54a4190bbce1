import type { Db } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import type { Job } from "../jobs/job.ts";
import { deleteJob } from "../jobs/queries.ts";
import * as queries from "./backlog.queries.ts";
import { lockEndpoint } from "./outgoing.queries.ts";

/**
 * Has a message wait without its job, for a webhook that was paused a moment ago. Where it has been resumed since, the
 * message goes with what waited, so that all from before that are sent in one order.
 */
export const holdMessage = ({ db, now }: Pick<Deps, "db" | "now">, job: Job, endpointId: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    const isPaused = await queries.holdPause(tx, endpointId);
    await deleteJob(tx, job);
    if (!isPaused) await queries.queueBacklog(tx, endpointId, now());
  });

/** Ends the job that sends a backlog. False where there is something to send, after all. */
export const endBacklog = (db: Db, job: Job): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    // Nobody resumes it or holds a message meanwhile, who would rely on this job.
    await lockEndpoint(tx, job.key);
    if (await queries.findHeld(tx, job.key)) return false;
    await deleteJob(tx, job);
    return true;
  });
