import type { backgroundJobs } from "../db/schema.ts";

type Row = typeof backgroundJobs.$inferSelect;

/** Identifies a job and the lease under which it was taken. */
export type Lease = Pick<Row, "kind" | "key"> & { lease: string };

/** A job that has been taken. `attempts` includes the current one. */
export type Job = Lease & Pick<Row, "payload" | "attempts">;

/**
 * The result of a job that is not done yet. It continues in so many milliseconds, which does not count as a failure. It
 * keeps its payload unless a new one is given.
 */
export type Again = { again: number; payload?: Row["payload"] };

/** How to process jobs of a kind. Times are in milliseconds. */
export type JobKind = {
  /** How many of them one process runs at once. */
  atOnce: number;
  /** How many of them whose keys have the same first word. Without it, they may take every place. */
  atOncePerFirstWord?: number;
  /** Whether this process can run them now. Until then it leaves them to others. */
  isReady?: () => boolean;
  /**
   * How long a taken job belongs to its process. Must be longer than any attempt. If the process dies, the job waits
   * until the lease ends.
   */
  lease: number;
  /** How long to wait before a retry: after the first failure, and at most. */
  backOff: { first: number; longest: number };
  /** The longest that a job may wait, if that is longer than after a failure. */
  longestWait?: number;
  /**
   * Runs the job, or one step of it. Jobs run at least once: if a process dies midway, the next one runs the job again.
   * Throws GiveUp if a retry is useless. After any other error the job is retried.
   */
  run(job: Job): Promise<Again | void>;
};

/** Kinds by the name that rows store. */
export type JobKinds = Readonly<Record<string, JobKind>>;

/** A retry is useless. The job is kept as dead, with the error. */
export class GiveUp extends Error {
  override name = "GiveUp";
}

/** Another process has taken the job over. Nothing that the former holder was about to write is written. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}
