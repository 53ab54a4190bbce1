import type { Db } from "../db/client.ts";
import { toLine } from "../http/visible-text.ts";
import { runForRequest } from "../log/current-request.ts";
import { redactLine } from "../log/redaction.ts";
import type { Logger } from "../log/log.ts";
import { GiveUp, LeaseLost, type Job, type JobKind } from "./job.ts";
import { markJobDead, continueJob, deleteJob, postponeJob, type Taken } from "./queries.ts";

export type JobDeps = { db: Db; log: Logger; now: () => Date };
type Outcome = "done" | "again" | "failed" | "dead" | "lost";

type Doing = Pick<JobKind, "run" | "backOff">;

/**
 * Runs a job that was taken, and records the result, unless another process has taken the job over. The job, and
 * whatever it queues, counts as work for the request that queued it.
 */
export async function runJob(deps: JobDeps, kind: Doing, job: Taken): Promise<Outcome> {
  const { requestId } = job;
  return requestId === null ? attempt(deps, kind, job) : runForRequest({ requestId }, () => attempt(deps, kind, job));
}

async function attempt(deps: JobDeps, { run, backOff }: Doing, job: Taken): Promise<Outcome> {
  const { db, log, now } = deps;
  const { attempts, isOver, key, kind } = job;
  if (isOver) {
    log.error({ kind, job: key, attempts }, "a job was not done in time: it is given up");
    await markJobDead(db, job, { deadAt: now() });
    return "dead";
  }
  try {
    const next = await run(job);
    await (next
      ? continueJob(db, job, { dueAt: later(now(), next.again), payload: next.payload })
      : deleteJob(db, job));
    return next ? "again" : "done";
  } catch (error) {
    return handleFailure(deps, { job, backOff, error });
  }
}

type Failure = Pick<JobKind, "backOff"> & { job: Job; error: unknown };

async function handleFailure({ db, log, now }: JobDeps, { job, backOff, error }: Failure): Promise<Outcome> {
  const { attempts, key, kind } = job;
  if (error instanceof LeaseLost) return "lost";
  const lastError = describeError(error);
  if (error instanceof GiveUp) {
    log.warn({ err: error, kind, job: key, attempts }, "a job is given up");
    await markJobDead(db, job, { deadAt: now(), lastError });
    return "dead";
  }
  const retryInMs = computeBackoff(attempts, backOff);
  log.warn({ err: error, kind, job: key, attempts, retryInMs }, "a job failed: it is tried again");
  await postponeJob(db, job, { dueAt: later(now(), retryInMs), lastError });
  return "failed";
}

const later = (from: Date, milliseconds: number) => new Date(from.getTime() + milliseconds);

/** Decides how long to wait before a retry: three times as long after each failure. */
export function computeBackoff(attempts: number, { first, longest }: JobKind["backOff"]): number {
  return addJitter(Math.min(first * 3 ** (attempts - 1), longest));
}

/** Picks a random time in the upper half of a wait, so that jobs that failed together are not retried together. */
export const addJitter = (wait: number): number => Math.round(wait * (1 - Math.random() / 2));

const LONGEST = 500;

/**
 * Describes an error and its causes in one short line, without email addresses and secrets. Parts of it may come from a
 * mail server or an RPC node, and a U+0000 in them could not be stored.
 */
function describeError(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) messages.push(each.message);
  return toLine(redactLine(messages.join(": ") || String(error))).slice(0, LONGEST);
}
