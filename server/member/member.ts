import type { Job } from "../chain/chain-gateway.ts";
import type { Db, Tx } from "../db/client.ts";
import { AppError } from "../errors.ts";
import { oncePerPage } from "../http/call-scope.ts";
import { findMember } from "./queries.ts";

export type Member = Awaited<ReturnType<typeof readMember>>;

/**
 * A member, and where they stand with everything there is one of: consents, mails, wallet, Machine ID. A page that asks
 * for it in several calls asks the database once; in a transaction it is what holds there. Throws NOT_FOUND for nobody.
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

/** Of each kind the one that did not fail, of which there is one at most, else the last. */
function pickLatest(jobs: readonly Job[]): Partial<Record<Job["kind"], Job>> {
  const failedFirst = jobs.toSorted((one, other) => Number(other.state === "failed") - Number(one.state === "failed"));
  return Object.fromEntries(failedFirst.map((job) => [job.kind, job]));
}

/** Whether a job has done what it was for. */
export const isDone = ({ state }: Job) => state === "completed" || state === "finalized";

/**
 * The deployment of a member's Smart Account that has begun and did not fail: its owner can never be another wallet.
 */
export const hasStartedDeployment = ({ latestJobs: { deploy } }: Member) =>
  deploy !== undefined && deploy.state !== "failed";
