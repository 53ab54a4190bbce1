import type { Act, Actor } from "../administration/actor.ts";
import { toPage } from "../administration/paging.ts";
import { administer, permit, type Note } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import { afterCommit } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import * as queries from "../jobs/queue.queries.ts";
import { MAIL } from "../mail/outbox.queries.ts";
import {
  MAX_RETRIED,
  type BackgroundJob,
  type BackgroundJobName,
  type BackgroundJobs,
  type BackgroundJobsQuery,
} from "./contract.ts";

/** A command runs no jobs itself, so it has none to wake. */
type QueueDeps = Pick<Deps, "db" | "now"> & Partial<Pick<Deps, "jobs">>;

/** Reads a page of the queue. Throws FORBIDDEN and PASSWORD_REQUIRED. */
export async function readBackgroundJobs(
  { db, now }: QueueDeps,
  actor: Actor,
  { queue, show, after, limit }: BackgroundJobsQuery,
): Promise<BackgroundJobs> {
  await permit({ db, now }, actor);
  const found = await queries.findPage(db, {
    kind: MAIL,
    others: queue === "other",
    dead: show === "given-up",
    after: readName(after),
    limit: limit + 1,
  });
  return toPage(found, limit, { show: describeJob, cursor: ({ kind, key }) => `${kind} ${key}` });
}

function readName(text: string | undefined): BackgroundJobName | undefined {
  if (text === undefined) return undefined;
  const [kind = "", ...key] = text.split(" ");
  return { kind, key: key.join(" ") };
}

/** Throws CONFLICT if the job is running. */
export function ensureNotRunning({ deadAt, lease }: LockedJob): void {
  if (lease && !deadAt) throw new AppError("CONFLICT", "That is running right now.");
}

/** Makes a job due now, even if it was given up. Throws NOT_FOUND, and CONFLICT if the job is running. */
export async function retryJob({ jobs, ...deps }: QueueDeps, act: Act, name: BackgroundJobName) {
  return changeJob(deps, act, name, async (tx, job, note, at) => {
    ensureNotRunning(job);
    await queries.reviveJob(tx, name, at);
    if (jobs) afterCommit(jobs.wake);
    await note({ action: "job.retried", ...subjectOf(name) });
  });
}

/** Retries emails that were given up, those that were queued first before the others. Returns how many. */
export async function retryEmails({ jobs, ...deps }: QueueDeps, act: Act): Promise<{ retried: number }> {
  return administer(deps, act, async (tx, note, at) => {
    const keys = await queries.reviveDead(tx, { kind: MAIL, now: at, limit: MAX_RETRIED });
    if (jobs) afterCommit(jobs.wake);
    await note(...keys.map((key) => ({ action: "job.retried" as const, ...subjectOf({ kind: MAIL, key }) })));
    return { retried: keys.length };
  });
}

/** Removes an email that was given up. Throws NOT_FOUND, and CONFLICT if it may still be sent. */
export async function removeEmail(deps: QueueDeps, act: Act, { key }: { key: string }): Promise<BackgroundJobName> {
  const name = { kind: MAIL, key };
  return changeJob(deps, act, name, async (tx, job, note) => {
    if (!job.deadAt)
      throw new AppError("CONFLICT", "This email may still be sent. You can only remove emails that were given up.");
    await queries.removeJob(tx, name);
    await note({ action: "job.dropped", ...subjectOf(name) });
  });
}

/** Removes an email, or any job that was given up, for an operator. Throws NOT_FOUND and CONFLICT. */
export async function dropJob(deps: QueueDeps, act: Act, name: BackgroundJobName): Promise<BackgroundJobName> {
  return changeJob(deps, act, name, async (tx, job, note) => {
    if (!job.deadAt && job.kind !== MAIL) {
      throw new AppError("CONFLICT", "Only emails, and jobs that were given up, can be removed.");
    }
    await queries.removeJob(tx, name);
    await note({ action: "job.dropped", ...subjectOf(name) });
  });
}

type Change = (tx: Tx, job: LockedJob, note: Note, at: Date) => Promise<void>;
type LockedJob = NonNullable<Awaited<ReturnType<typeof queries.lockJob>>>;

/** Changes a queued job. Throws NOT_FOUND if it is not queued, or is done by now. */
async function changeJob(
  deps: QueueDeps,
  act: Act,
  name: BackgroundJobName,
  change: Change,
): Promise<BackgroundJobName> {
  await administer(deps, act, async (tx, note, at) => {
    const job = await queries.lockJob(tx, name);
    if (!job) throw new AppError("NOT_FOUND", "There is no such job: it may have been done.");
    await change(tx, job, note, at);
  });
  return { kind: name.kind, key: name.key };
}

export const subjectOf = ({ kind, key }: BackgroundJobName) => ({
  subject: "job" as const,
  subjectId: `${kind} ${key}`.trim(),
});

export function describeJob({ isInHand, kind, key, attempts, lastError, ...at }: queries.FoundJob): BackgroundJob {
  const state = at.deadAt ? "given up" : isInHand ? "in hand" : "waiting";
  const [deadAt, expiresAt] = [toText(at.deadAt), toText(at.expiresAt)];
  return { kind, key, state, attempts, dueAt: at.dueAt.toISOString(), deadAt, expiresAt, lastError };
}

const toText = (at: Date | null) => at?.toISOString() ?? null;
