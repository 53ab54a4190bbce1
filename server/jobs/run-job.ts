import type { Db } from "../db/client.ts";
import { toLine } from "../http/visible-text.ts";
import { workFor } from "../log/current-request.ts";
import { redactLine } from "../log/redaction.ts";
import type { Logger } from "../log/log.ts";
import { GiveUp, LeaseLost, type Job, type JobKind } from "./job.ts";
import { buryJob, continueJob, deleteJob, postponeJob, type Taken } from "./queries.ts";

export type JobDeps = { db: Db; log: Logger; now: () => Date };
type Outcome = "done" | "again" | "failed" | "dead" | "lost";

type Doing = Pick<JobKind, "run" | "backOff">;

/**
 * Does a job that was taken, and writes down what came of it, unless it is another process's by then. It is part of the
 * work for the request that it was queued by, and so is what it queues in turn.
 */
export async function runJob(deps: JobDeps, kind: Doing, job: Taken): Promise<Outcome> {
  const { requestId } = job;
  return requestId === null ? attempt(deps, kind, job) : workFor({ requestId }, () => attempt(deps, kind, job));
}

async function attempt(deps: JobDeps, { run, backOff }: Doing, job: Taken): Promise<Outcome> {
  const { db, log, now } = deps;
  const { attempts, isOver, key, kind } = job;
  if (isOver) {
    log.error({ kind, job: key, attempts }, "a job was not done in time: it is given up");
    await buryJob(db, job, { deadAt: now() });
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
    await buryJob(db, job, { deadAt: now(), lastError });
    return "dead";
  }
  const retryInMs = decideWait(attempts, backOff);
  log.warn({ err: error, kind, job: key, attempts, retryInMs }, "a job failed: it is tried again");
  await postponeJob(db, job, { dueAt: later(now(), retryInMs), lastError });
  return "failed";
}

const later = (from: Date, milliseconds: number) => new Date(from.getTime() + milliseconds);

/** Three times as long after each failure. */
export function decideWait(attempts: number, { first, longest }: JobKind["backOff"]): number {
  return spread(Math.min(first * 3 ** (attempts - 1), longest));
}

/** At random in the upper half of a wait, so that what failed together parts. */
export const spread = (wait: number): number => Math.round(wait * (1 - Math.random() / 2));

const LONGEST = 500;

/**
 * An error and what caused it, in one short line, without addresses and secrets. Part of it may be in the words of a
 * mail server or a node: with a U+0000 among them the failure could not be written down.
 */
function describeError(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) messages.push(each.message);
  return toLine(redactLine(messages.join(": ") || String(error))).slice(0, LONGEST);
}
