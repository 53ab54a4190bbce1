import type { Job } from "../chain-gateway.ts";
import type { Again } from "../../jobs/job.ts";
import { findJob, isOver } from "../jobs.queries.ts";
import { confirm, finalize, findBlock } from "./confirm.ts";
import { adoptEarlierSuccess } from "./earlier-success.ts";
import { createRequestError, Refused, summarize } from "./rpc-errors.ts";
import { broadcast, prepare } from "./send.ts";
import { save, type Work } from "./work.ts";

/** How many steps one turn may take. */
const STEPS = 8;
/** How many times to look for an earlier success, because a node may be behind. */
const MAX_CHECKS = 3;

/** Takes a job as far as it goes now. Throws if the connection to the chain fails, and the queue tries again. */
export async function advanceJob(work: Work, id: string): Promise<Again | void> {
  let job = await findJob(work.db, id);
  for (let steps = 0; job && !isOver(job) && steps < STEPS; steps += 1) {
    const before: Job = job;
    job = await takeStep(work, before).catch((error: unknown) => handleFailure(work, before, error));
    if (job?.state === before.state) break;
  }
  if (job && !isOver(job)) return { again: work.station.timing.poll };
}

/** Takes one step. Returns the changed job, or undefined if there is nothing left to do or another process does it. */
async function takeStep(work: Work, job: Job): Promise<Job | undefined> {
  switch (job.state) {
    case "queued":
      return prepare(work, job);
    case "signed":
      return broadcast(work, job);
    case "sent":
      return findBlock(work, job);
    case "mined":
      return confirm(work, job);
    case "completed":
      return finalize(work, job);
    default:
      return undefined;
  }
}

async function handleFailure(work: Work, job: Job, error: unknown): Promise<Job | undefined> {
  if (!(error instanceof Refused)) return rethrowForRetry(job, error);
  const adopted = await adoptEarlierSuccess(work, job, error).catch((cause: unknown) => rethrowForRetry(job, cause));
  if (adopted) return adopted;
  // A job that was sent before has used the number itself, even if the node does not know that transaction yet. If it
  // failed, its member would create a second account.
  const mayBeBehind = job.attempts < MAX_CHECKS || job.replacedHashes.length > 0;
  if (error.errorName !== "NonceAlreadyUsed" || !mayBeBehind) return fail(work, job, error);
  await save(work, job, { attempts: Math.min(job.attempts + 1, MAX_CHECKS) });
  return rethrowForRetry(job, error);
}

async function fail(work: Work, job: Job, { cause, errorName }: Refused): Promise<undefined> {
  work.log.error({ err: summarize(cause), job: job.id, errorName }, "the chain refused a job");
  await save(work, job, { state: "failed", errorName, failedAt: work.now() });
}

/** Throws, because the connection failed and not the job. The job stays as it is. Only the queue counts the attempt. */
function rethrowForRetry({ state }: Job, error: unknown): never {
  throw createRequestError(state, error);
}
