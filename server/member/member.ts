import type { Job } from "../chain/chain-gateway.ts";
import type { Db, Tx } from "../db/client.ts";
import { AppError } from "../errors.ts";
import { oncePerPage } from "../http/call-scope.ts";
import { findMember } from "./queries.ts";

export type Member = Awaited<ReturnType<typeof readMember>>;

/**
 * Returns a member with everything that they have one of: consents, mail settings, wallet, Machine ID. A page that
 * needs it in several calls queries the database once. In a transaction, it reads that transaction's state. Throws
 * NOT_FOUND if there is no such member.
 */
export const readMember = (db: Db | Tx, userId: string) => oncePerPage(`member ${userId}`, () => find(db, userId));

async function find(db: Db | Tx, userId: string) {
  const rows = await findMember(db).execute({ userId });
  const [first] = rows;
  if (!first) throw new AppError("NOT_FOUND", "There is no such member.");
  const { job: _, ...member } = first;
  const jobs = rows.flatMap(({ job }) => job ?? []);
  return { ...member, jobs, latestJobs: pickLatest(jobs) };
}

/** Picks for each kind the job that did not fail, of which there is at most one, or else the last one. */
function pickLatest(jobs: readonly Job[]): Partial<Record<Job["kind"], Job>> {
  const failedFirst = jobs.toSorted((one, other) => Number(other.state === "failed") - Number(one.state === "failed"));
  return Object.fromEntries(failedFirst.map((job) => [job.kind, job]));
}

/** Whether a job has done what it was for. */
export const isDone = ({ state }: Job) => state === "completed" || state === "finalized";

/**
 * Whether the deployment of a member's Smart Account has begun and not failed. Its owner can then never be another
 * wallet.
 */
export const hasStartedDeployment = ({ latestJobs: { deploy } }: Member) =>
  deploy !== undefined && deploy.state !== "failed";
