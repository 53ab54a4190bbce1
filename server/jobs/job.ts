import type { backgroundJobs } from "../db/schema.ts";

type Row = typeof backgroundJobs.$inferSelect;

/** Which job it is, and who has it. */
export type Lease = Pick<Row, "kind" | "key"> & { lease: string };

/** A job in the hands of its taker. `attempts`: this one among them. */
export type Job = Lease & Pick<Row, "payload" | "attempts">;

/**
 * What a kind of job says where it is not done yet: it goes on in so many milliseconds, and nothing has failed; with
 * another payload where it names one.
 */
export type Again = { again: number; payload?: Row["payload"] };

/** How the jobs of a kind are done. Times in milliseconds. */
export type JobKind = {
  /** How many of them one process has in hand. */
  atOnce: number;
  /** Whether this process can do them now: until then it leaves them to others. */
  isReady?: () => boolean;
  /** For this long a job is its taker's: longer than any attempt takes. Who dies with it delays it by as much. */
  lease: number;
  /** Until the next attempt: after the first failure, and at the most. */
  backOff: { first: number; longest: number };
  /** How long one may wait at the most: as long as after a failure, unless this says more. */
  longestWait?: number;
  /**
   * Does it, or a step of it. A job is done at least once: who dies on the way leaves it to the next one. Throws GiveUp
   * where trying again is useless; after any other error it is tried again.
   */
  run(job: Job): Promise<Again | void>;
};

/** By the names that their rows have. */
export type JobKinds = Readonly<Record<string, JobKind>>;

/** Trying again is useless: the job is kept as dead, with the error. */
export class GiveUp extends Error {
  override name = "GiveUp";
}

/** Another process has taken the job over: whatever its former holder was about to write is not written. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}
