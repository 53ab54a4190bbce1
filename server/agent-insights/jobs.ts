import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { checkTimes } from "../heartbeats/beat-window.ts";
import { oncePerPage } from "../http/call-scope.ts";
import type { Caller } from "../http/endpoint.ts";
import { sumPoints } from "../points/amount.ts";
import { lastUtcDays, utcDay } from "../points/utc-day.ts";
import type { DataStats, JobResults, JobResultsInput, JobsDay, JobsStats, JobsStatsQuery } from "./contract.ts";
import * as queries from "./jobs.queries.ts";
import { recordContributions, type Addition, type ContentSettings, type Contribution } from "./service.ts";

export type Job = {
  userId: string;
  deviceId?: string | undefined;
  /** The node's own id of the job: each counts once per member. */
  reference: string;
  finishedAt: Date;
  receivedAt: Date;
  /** In bytes. */
  resultSize: number;
  items: Pick<Contribution, "kind" | "reference" | "title">[];
};

/**
 * Counts a node's finished jobs and posts the points for what they gathered: all or none. Sending a batch again, even
 * at the same time, changes nothing: a job counts once per member, and so does an item. Jobs that finished too early or
 * too late are refused individually. Items beyond their day's cap are kept without points.
 */
export async function recordJobResults(
  { db, env, now }: Pick<Deps, "db" | "env" | "now">,
  { deviceId, userId }: Caller,
  { jobs }: JobResultsInput,
): Promise<JobResults> {
  const receivedAt = now();
  const { inTime, refused } = checkTimes(jobs, ({ finishedAt }) => finishedAt, receivedAt);
  const finished = inTime.map(({ at, of: { items, jobId: reference, resultSize } }) => ({
    userId,
    deviceId,
    reference,
    finishedAt: at,
    receivedAt,
    resultSize,
    items,
  }));
  const { accepted, additions } = await inTransaction(db, (tx) => countJobs(tx, finished, env));
  return {
    accepted,
    duplicates: inTime.length - accepted,
    refused: refused.map(({ of: { jobId }, message, reason }) => ({ jobId, message, reason })),
    items: additions.length,
    points: sumPoints(additions.map(({ points }) => points)),
    itemsBeyondCap: additions.filter(({ points }) => points === 0).length,
  };
}

/** Counts jobs of any age and any member that were not counted before. */
export async function countJobs(
  tx: Tx,
  jobs: readonly Job[],
  settings: ContentSettings,
): Promise<{ accepted: number; additions: Addition[] }> {
  if (jobs.length === 0) return { accepted: 0, additions: [] };
  const rows = jobs.map(({ deviceId, finishedAt, receivedAt, reference, resultSize, userId }) => {
    return { userId, id: uuidv7(), reference, deviceId, finishedAt, receivedAt, resultSize };
  });
  const added = new Set((await queries.insertJobs(tx, rows)).map(keyOf));
  // If a batch has several jobs with the same id, the first one counts.
  const counted = jobs.filter((job) => added.delete(keyOf(job)));
  const additions = await recordContributions(
    tx,
    counted.flatMap(({ finishedAt: gatheredAt, items, userId }) =>
      items.map((item) => ({ ...item, userId, gatheredAt })),
    ),
    settings,
  );
  await addToDays(tx, counted, additions);
  return { accepted: counted.length, additions };
}

const keyOf = ({ userId, reference }: Pick<Job, "userId" | "reference">) => `${userId} ${reference}`;
const itemKeyOf = ({ kind, reference, userId }: Omit<Addition, "points">) => `${userId} ${kind} ${reference}`;

/** How many parts each of the network's days is kept in. */
const PARTS = 16;

async function addToDays(tx: Tx, jobs: Job[], additions: Addition[]): Promise<void> {
  const fresh = new Map(additions.map((addition) => [itemKeyOf(addition), addition]));
  const sums = jobs.map((job) => ({ userId: job.userId, ...sumUp(job, fresh) }));
  const ofMembers = addUp(sums, ({ day, userId }) => `${userId} ${day}`);
  await queries.addToDays(tx, ofMembers);
  const inParts = sums.map(({ userId, ...rest }) => Object.assign(rest, { part: partOf(userId) }));
  await queries.addToNetworkDays(
    tx,
    addUp(inParts, ({ day, part }) => `${day} ${String(part).padStart(2, "0")}`),
  );
}

/** Uses the last hexadecimal digit of the id, which is random. */
const partOf = (userId: string) => Number.parseInt(userId.slice(-1), PARTS);

/** Returns what one job adds to its day. An item that two jobs bring counts for the first of them. */
function sumUp({ userId, finishedAt, items, resultSize }: Job, fresh: Map<string, Addition>): queries.DailySums {
  const taken = items.flatMap(({ kind, reference }) => {
    const key = itemKeyOf({ userId, kind, reference });
    const addition = fresh.get(key);
    fresh.delete(key);
    return addition ?? [];
  });
  const count = (kind: Contribution["kind"]) => taken.filter((item) => item.kind === kind).length;
  return {
    day: utcDay(finishedAt),
    jobs: 1,
    profiles: count("profile"),
    comments: count("comment"),
    posts: count("post"),
    resultSize,
    points: sumPoints(taken.map(({ points }) => points)),
  };
}

/** Adds up the rows of each key, in key order, so that two batches at once never deadlock. */
function addUp<Row extends queries.DailySums>(rows: Row[], key: (row: Row) => string): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const sum = sums.get(key(row));
    sums.set(key(row), sum ? { ...row, ...add(sum, row) } : row);
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

const add = (one: queries.DailySums, other: queries.DailySums) => ({
  jobs: one.jobs + other.jobs,
  profiles: one.profiles + other.profiles,
  comments: one.comments + other.comments,
  posts: one.posts + other.posts,
  resultSize: one.resultSize + other.resultSize,
  points: one.points + other.points,
});

type ReadDeps = Pick<Deps, "db" | "now">;

/** Returns the member's jobs by day, oldest first. */
export async function readDailyJobs(deps: ReadDeps, userId: string, { days }: JobsStatsQuery): Promise<JobsStats> {
  const { dates, own } = await readDays(deps, userId, days);
  return fillDays(dates, own);
}

/** Returns everybody's jobs by day, oldest first. */
export async function readNetworkJobs(deps: ReadDeps, userId: string, { days }: JobsStatsQuery): Promise<JobsStats> {
  const { dates, everybodys } = await readDays(deps, userId, days);
  return fillDays(dates, everybodys);
}

const readDays = (deps: ReadDeps, userId: string, days: number) =>
  oncePerPage(`job days ${userId} ${days}`, () => findDays(deps, userId, days));

async function findDays({ db, now }: ReadDeps, userId: string, days: number) {
  const dates = lastUtcDays(now(), days);
  const rows = await queries.findDays(db).execute({ userId, first: dates[0], last: dates.at(-1) });
  const of = (whose: boolean) => rows.flatMap(({ isOwn, ...day }) => (isOwn === whose ? [day] : []));
  return { dates, own: of(true), everybodys: of(false) };
}

const NOTHING = { jobs: 0, profiles: 0, comments: 0, posts: 0, resultSize: 0, points: 0 };

function fillDays(dates: string[], rows: queries.DailySums[]): JobsStats {
  const byDay = new Map(rows.map(({ day, ...sums }) => [day, sums]));
  return { data: dates.map((date): JobsDay => ({ date, ...NOTHING, ...byDay.get(date) })) };
}

/** Returns the totals of what the member's node has gathered. */
export async function readDataStats({ db }: Pick<Deps, "db">, userId: string): Promise<DataStats> {
  const [sums = NOTHING] = await queries.findJobTotals(db).execute({ userId });
  return {
    total_jobs: sums.jobs,
    total_jobs_points: sums.points,
    profiles_amount: sums.profiles,
    comments_amount: sums.comments,
    posts_amount: sums.posts,
    result_size: sums.resultSize,
  };
}
