import type { Job } from "../chain-gateway.ts";
import { takeDueJobs } from "../jobs.queries.ts";
import { confirm, finalize, lookForBlock } from "./confirm.ts";
import { adoptEarlierSuccess } from "./earlier-success.ts";
import { Refused, summarize } from "./rpc-errors.ts";
import { broadcast, prepare } from "./send.ts";
import { save, type Work } from "./work.ts";

const BATCH = 20;
/** For this long a job is the taker's. One that takes longer is done twice, which its nonces make harmless. */
const TAKEN_MS = 15_000;
/** Steps that one turn may take. */
const STEPS = 8;
/** Milliseconds until the next attempt, by attempts made; the last one goes on. */
const BACK_OFF = [1_000, 2_000, 5_000, 10_000, 30_000];
/** Times that an earlier success is looked for, since a node may be behind. */
const PATIENCE = 3;

/** Takes what is due further: first what is under way, then what is new. Returns how many jobs were taken. */
export async function advanceJobs(work: Work): Promise<number> {
  const now = work.now();
  const until = new Date(now.getTime() + TAKEN_MS);
  const taken = await takeDueJobs(work.db, { now, until, limit: BATCH });
  await Promise.all(taken.filter((job) => !isNew(job)).map((job) => advanceJob(work, job)));
  await Promise.all(taken.filter(isNew).map((job) => advanceJob(work, job)));
  return taken.length;
}

const isNew = ({ state }: Job) => state === "queued";

async function advanceJob(work: Work, job: Job): Promise<void> {
  let current: Job | undefined = job;
  for (let steps = 0; current && steps < STEPS; steps += 1) {
    const before: Job = current;
    current = await takeStep(work, before).catch((error: unknown) => handleFailure(work, before, error));
    if (current?.state === before.state) return;
  }
}

/** The job as it is afterwards; undefined where there is nothing more to do, or another process does it. */
async function takeStep(work: Work, job: Job): Promise<Job | undefined> {
  switch (job.state) {
    case "queued":
      return prepare(work, job);
    case "signed":
      return broadcast(work, job);
    case "sent":
      return lookForBlock(work, job);
    case "mined":
      return confirm(work, job);
    case "completed":
      return finalize(work, job);
    default:
      return undefined;
  }
}

async function handleFailure(work: Work, job: Job, error: unknown): Promise<Job | undefined> {
  if (!(error instanceof Refused)) return postpone(work, job, error);
  if (error.errorName !== "NonceAlreadyUsed") return fail(work, job, error);
  try {
    const adopted = await adoptEarlierSuccess(work, job);
    if (adopted || job.attempts >= PATIENCE) return adopted ?? (await fail(work, job, error));
    return await postpone(work, job, error);
  } catch (cause) {
    return postpone(work, job, cause);
  }
}

async function fail(work: Work, job: Job, { cause, errorName }: Refused): Promise<undefined> {
  work.log.error({ err: summarize(cause), job: job.id, errorName }, "the chain refused a job");
  await save(work, job, { state: "failed", errorName, failedAt: work.now() });
}

/** The way to the chain failed, not the job: it goes on where it was. */
async function postpone(work: Work, job: Job, error: unknown): Promise<undefined> {
  const wait = BACK_OFF[Math.min(job.attempts, BACK_OFF.length - 1)] ?? 0;
  work.log.warn({ err: summarize(error), job: job.id, state: job.state, retryInMs: wait }, "a job waits for the chain");
  await save(work, job, { attempts: job.attempts + 1, dueAt: new Date(work.now().getTime() + wait) });
}
