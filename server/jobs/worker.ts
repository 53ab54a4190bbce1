import type { Db } from "../db/client.ts";
import { LOG_INTERVAL, throttle } from "../throttle.ts";
import type { Waker } from "./waker.ts";
import type { JobKinds } from "./job.ts";
import { countFree, resetFutureDueTimes, releaseAllLeases, leaseDueJobs, type Taken } from "./queries.ts";
import { runJob, type JobDeps } from "./run-job.ts";
import { queueSchedules, toKinds, type Schedules } from "./schedule.ts";

/** Milliseconds between two checks of the queue, for jobs that are due and those that other processes have queued. */
const CHECK_INTERVAL_MS = 1000;

type WorkerDeps = JobDeps & { jobs: Waker };
type WorkerOptions = {
  kinds: JobKinds;
  schedules: Schedules;
  /**
   * Whether no other process uses this database, as with the embedded one. Then jobs that were taken by a former
   * process continue at once.
   */
  alone: boolean;
  pollInterval?: number;
};

/**
 * Processes jobs for as long as the process runs, together with any number of other processes. Returns a function that
 * stops it: it takes no more jobs, and waits for those that it has taken.
 */
export function startWorker(deps: WorkerDeps, options: WorkerOptions): () => Promise<void> {
  const stopping = new AbortController();
  const ended = workUntil(stopping.signal, deps, options);
  return async () => {
    stopping.abort();
    await ended;
  };
}

async function workUntil(signal: AbortSignal, deps: WorkerDeps, options: WorkerOptions): Promise<void> {
  const { jobs, log } = deps;
  const { pollInterval = CHECK_INTERVAL_MS } = options;
  const kinds = { ...options.kinds, ...toKinds(options.schedules) };
  const inHand = new Map<Promise<void>, Taken>();
  /** Returns whether half of a kind's places are free. To look for more earlier would take many queries for few jobs. */
  const isHalfFree = (job: Taken, kind = kinds[job.kind]) => {
    const running = [...inHand.values()].filter((each) => each.kind === job.kind).length;
    return kind !== undefined && countFree(kind, running) * 2 >= kind.atOnce;
  };
  const warn = throttle((err: unknown) => log.warn({ err }, "the queue of jobs could not be read"), LOG_INTERVAL);
  let checkedAt: Date | undefined;

  async function takeDue(): Promise<Taken[]> {
    if (!checkedAt) await prepare(deps, options);
    // Read only now, because `prepare` may have made jobs due at its own time.
    const now = deps.now();
    // The clock has been set back.
    if (checkedAt && now < checkedAt) await catchUp(deps.db, options, now);
    checkedAt = now;
    return leaseDueJobs(deps.db, { kinds, inHand: [...inHand.values()], now });
  }

  async function work(job: Taken, kind = kinds[job.kind]): Promise<void> {
    if (kind) await runJob(deps, kind, job).catch((err: unknown) => log.warn({ err, kind: job.kind }, UNNOTED));
  }

  while (!signal.aborted) {
    const taken = await takeDue().catch((err: unknown) => {
      warn(err);
      return [];
    });
    for (const job of taken) {
      const done = work(job).finally(() => {
        inHand.delete(done);
        if (isHalfFree(job)) jobs.wake();
      });
      inHand.set(done, job);
    }
    if (!taken.some((job) => isHalfFree(job))) await jobs.wait(pollInterval, signal);
  }
  await Promise.all(inHand.keys());
}

const UNNOTED = "what came of a job could not be written down: it is done again";

async function prepare({ db, now }: WorkerDeps, options: WorkerOptions): Promise<void> {
  if (options.alone) await releaseAllLeases(db, now());
  await catchUp(db, options, now());
}

/** Queues every schedule, and makes no job wait until a time that a fast clock has set. */
async function catchUp(db: Db, { kinds, schedules }: WorkerOptions, now: Date): Promise<void> {
  await queueSchedules(db, schedules, now);
  for (const [kind, { backOff, lease, longestWait = backOff.longest }] of Object.entries(kinds)) {
    await resetFutureDueTimes(db, { kind, lease, longestWait, now });
  }
}
