import { and, between, eq, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { jobs, jobsDaily, jobsNetworkDaily } from "../db/schema.ts";
import { DAY_SECONDS, endingAt } from "../jobs/prune.ts";

type NewJob = typeof jobs.$inferInsert;
export type DailySums = Omit<typeof jobsDaily.$inferSelect, "userId">;

/** How many rows one statement inserts: PostgreSQL takes at most 65,535 parameters. */
const CHUNK = 2000;

/** Adds jobs, and returns those that are new. Sorts them, so that two batches at once never deadlock. */
export async function insertJobs(tx: Tx, list: NewJob[]): Promise<{ userId: string; reference: string }[]> {
  const ordered = list.toSorted((one, other) =>
    `${one.userId} ${one.reference}` < `${other.userId} ${other.reference}` ? -1 : 1,
  );
  const added: { userId: string; reference: string }[] = [];
  for (let start = 0; start < ordered.length; start += CHUNK) {
    added.push(
      ...(await tx
        .insert(jobs)
        .values(ordered.slice(start, start + CHUNK))
        .onConflictDoNothing()
        .returning({ userId: jobs.userId, reference: jobs.reference })),
    );
  }
  return added;
}

/** The largest value of a bigint. */
const MOST_BYTES = sql.raw("9223372036854775807");

/** Nodes may report any number of bytes: a day's sum stops at the largest bigint, and no job is refused for it. */
const adding = (table: typeof jobsDaily | typeof jobsNetworkDaily) => ({
  jobs: sql`${table.jobs} + excluded.jobs`,
  profiles: sql`${table.profiles} + excluded.profiles`,
  comments: sql`${table.comments} + excluded.comments`,
  posts: sql`${table.posts} + excluded.posts`,
  resultSize: sql`least(${table.resultSize}::numeric + excluded.result_size, ${MOST_BYTES})`,
  points: sql`${table.points} + excluded.points`,
});

export async function addToDays(tx: Tx, days: (typeof jobsDaily.$inferInsert)[]): Promise<void> {
  for (let start = 0; start < days.length; start += CHUNK) {
    await tx
      .insert(jobsDaily)
      .values(days.slice(start, start + CHUNK))
      .onConflictDoUpdate({ target: [jobsDaily.userId, jobsDaily.day], set: adding(jobsDaily) });
  }
}

export async function addToNetworkDays(tx: Tx, days: (typeof jobsNetworkDaily.$inferInsert)[]): Promise<void> {
  for (let start = 0; start < days.length; start += CHUNK) {
    await tx
      .insert(jobsNetworkDaily)
      .values(days.slice(start, start + CHUNK))
      .onConflictDoUpdate({ target: [jobsNetworkDaily.day, jobsNetworkDaily.part], set: adding(jobsNetworkDaily) });
  }
}

const sumOf = (table: typeof jobsDaily | typeof jobsNetworkDaily) => ({
  jobs: sql`coalesce(sum(${table.jobs}), 0)`.mapWith(Number),
  profiles: sql`coalesce(sum(${table.profiles}), 0)`.mapWith(Number),
  comments: sql`coalesce(sum(${table.comments}), 0)`.mapWith(Number),
  posts: sql`coalesce(sum(${table.posts}), 0)`.mapWith(Number),
  resultSize: sql`coalesce(sum(${table.resultSize}), 0)`.mapWith(Number),
  points: sql`coalesce(sum(${table.points}), 0)`.mapWith(Number),
});

const isWithin = (day: typeof jobsDaily.day | typeof jobsNetworkDaily.day) =>
  between(day, sql.placeholder("first"), sql.placeholder("last"));

/**
 * Returns the days from `first` to `last` that have jobs, the member's own and everybody's. Reads at most 17 rows per
 * day.
 */
export const findDays = prepared((db) => {
  const own = db
    .select({ isOwn: sql<boolean>`true`.as("is_own"), day: jobsDaily.day, ...sumOf(jobsDaily) })
    .from(jobsDaily)
    .where(and(eq(jobsDaily.userId, sql.placeholder("userId")), isWithin(jobsDaily.day)))
    .groupBy(jobsDaily.day);
  const everybodys = db
    .select({ isOwn: sql<boolean>`false`.as("is_own"), day: jobsNetworkDaily.day, ...sumOf(jobsNetworkDaily) })
    .from(jobsNetworkDaily)
    .where(isWithin(jobsNetworkDaily.day))
    .groupBy(jobsNetworkDaily.day);
  return unionAll(own, everybodys).prepare("find_job_days");
});

/** Sums up everything that a member's node has gathered. Reads one row per day. */
export const findJobTotals = prepared((db) =>
  db
    .select(sumOf(jobsDaily))
    .from(jobsDaily)
    .where(eq(jobsDaily.userId, sql.placeholder("userId")))
    .prepare("find_job_totals"),
);

/** Jobs that are part of their days' sums, and far too late to be reported again. */
export const oldJobs = (days: number) => endingAt(jobs.receivedAt, days * DAY_SECONDS);
