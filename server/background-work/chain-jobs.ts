import type { Act, Actor } from "../administration/actor.ts";
import { toPage } from "../administration/paging.ts";
import { administer, permit, type Note } from "../administration/service.ts";
import { isOver } from "../chain/jobs.queries.ts";
import { CHAIN } from "../chain/submit.ts";
import type { Db, Tx } from "../db/client.ts";
import { afterCommit } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { dueAtOnce, enqueue } from "../jobs/queries.ts";
import { lockJob, reviveJob } from "../jobs/queue.queries.ts";
import * as queries from "./chain-jobs.queries.ts";
import type { ChainJob, ChainJobs, ChainJobsQuery } from "./contract.ts";
import { describeJob, ensureNotRunning, subjectOf } from "./queue.ts";

type ChainDeps = Pick<Deps, "chain" | "db" | "jobs" | "now">;
type Named = { id: string };

/** Reads a page of chain jobs. Throws FORBIDDEN and PASSWORD_REQUIRED. */
export async function readChainJobs(deps: ChainDeps, actor: Actor, query: ChainJobsQuery): Promise<ChainJobs> {
  await permit(deps, actor);
  const found = await queries.findChainJobs(deps.db, { ...query, limit: query.limit + 1 });
  return toPage(found, query.limit, { show: (each) => describeChainJob(deps, each), cursor: ({ job }) => job.id });
}

/** Reads a chain job. Throws FORBIDDEN, PASSWORD_REQUIRED and NOT_FOUND. */
export async function readChainJob(deps: ChainDeps, actor: Actor, { id }: Named): Promise<ChainJob> {
  await permit(deps, actor);
  return read(deps, deps.db, id);
}

async function read(deps: ChainDeps, db: Db | Tx, id: string): Promise<ChainJob> {
  return describeChainJob(deps, await find(db, id));
}

async function find(db: Db | Tx, id: string): Promise<queries.FoundChainJob> {
  const found = await queries.findChainJob(db, id);
  if (!found) throw new AppError("NOT_FOUND", "There is no such chain job.");
  return found;
}

/**
 * Restarts a failed job, or makes a waiting one due now. Nothing can happen twice on the network, because the station's
 * nonce stays the same. Throws NOT_FOUND, and CONFLICT if nothing is left to do, if the job is running, or if the
 * member wants something else by now.
 */
export async function retryChainJob(deps: ChainDeps, act: Act, { id }: Named): Promise<ChainJob> {
  return administer(deps, act, async (tx, note, at) => {
    await queries.lockOwner(tx, id);
    const { job } = await find(tx, id);
    if (job.state === "failed") await requeue(tx, id);
    else if (isOver(job)) refuse("This is already done. There is nothing left to try.");
    await takeUp(tx, id, at);
    afterCommit(deps.jobs.wake);
    await noteRetry(note, job);
    return read(deps, tx, id);
  });
}

async function requeue(tx: Tx, id: string): Promise<void> {
  if (await queries.requeueFailed(tx, id)) return;
  refuse("The member has started again since, or linked another wallet. This cannot be tried again.");
}

/** Makes the job due at once, even if it was no longer queued. */
async function takeUp(tx: Tx, id: string, at: Date): Promise<void> {
  const name = { kind: CHAIN, key: id };
  const work = await lockJob(tx, name);
  if (work) ensureNotRunning(work);
  await (work ? reviveJob(tx, name, at) : enqueue(tx, { ...name, dueAt: dueAtOnce(at) }));
}

const noteRetry = (note: Note, { id, state, errorName, txHash, replacedHashes }: queries.FoundChainJob["job"]) =>
  note({
    action: "job.retried",
    ...subjectOf({ kind: CHAIN, key: id }),
    details: { state, ...(errorName && { errorName }), ...(txHash && { txHash, replacedHashes }) },
  });

function refuse(message: string): never {
  throw new AppError("CONFLICT", message);
}

function describeChainJob({ chain }: Pick<Deps, "chain">, found: queries.FoundChainJob): ChainJob {
  const { job, email, isWanted, work } = found;
  const { userId, createdAt, sentAt, completedAt, failedAt, ...shown } = job;
  const { state, txHash } = shown;
  return {
    ...shown,
    member: { id: userId, email },
    explorerUrl: txHash === null ? null : chain.explorerUrl(txHash),
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
    failedAt: failedAt?.toISOString() ?? null,
    work: work && describeJob(work),
    canRetry: state === "failed" ? isWanted : !isOver(job) && (!work || work.deadAt !== null || !work.isInHand),
  };
}
