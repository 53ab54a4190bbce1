import type { Db } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import type { Job } from "../jobs/job.ts";
import { deleteJob } from "../jobs/queries.ts";
import * as queries from "./backlog.queries.ts";
import { lockEndpoint } from "./outgoing.queries.ts";

/**
 * Deletes the job of a message whose webhook was paused a moment ago: the message waits without one. If the webhook has
 * been resumed since, the message joins the backlog, so that all earlier messages are sent in order.
 */
export const holdMessage = ({ db, now }: Pick<Deps, "db" | "now">, job: Job, endpointId: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    const isPaused = await queries.lockPausedState(tx, endpointId);
    await deleteJob(tx, job);
    if (!isPaused) await queries.queueBacklog(tx, endpointId, now());
  });

/** Ends the job that sends a backlog. Returns false if there is still something to send. */
export const endBacklog = (db: Db, job: Job): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    // Until the transaction ends, nobody can resume the webhook or hold a message and rely on this job.
    await lockEndpoint(tx, job.key);
    if (await queries.findHeld(tx, job.key)) return false;
    await deleteJob(tx, job);
    return true;
  });
