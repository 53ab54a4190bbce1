import { and, eq, exists, gt, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { backgroundJobs } from "../db/schema.ts";
import { findRequestId } from "../log/current-request.ts";
import { LeaseLost, type Job, type JobKind, type JobKinds, type Lease } from "./job.ts";
import { DAY_SECONDS, type Prunable } from "./prune.ts";

type NewJob = Pick<typeof backgroundJobs.$inferInsert, "kind" | "key" | "payload" | "recipient" | "expiresAt"> & {
  dueAt: Date | SQL<Date>;
};

const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`;

/** The due time of a job that is due at once: by the database's clock if this process's clock is ahead. */
export const dueAtOnce = (now: Date): SQL<Date> => sql<Date>`least(${instant(now)}, now())`;

/**
 * Queues a job in the transaction that causes it: both happen or neither. A job that is already waiting stays
 * unchanged. A job that has been taken is run again, because its process may have read the data too early. A job that
 * was given up is queued again.
 */
export async function enqueue(tx: Db | Tx, asked: NewJob): Promise<void> {
  const job = { ...asked, requestId: findRequestId() };
  await tx
    .insert(backgroundJobs)
    .values(job)
    .onConflictDoUpdate({
      target: [backgroundJobs.kind, backgroundJobs.key],
      set: { ...job, attempts: 0, lease: null, deadAt: null },
      setWhere: or(isNotNull(backgroundJobs.lease), isNotNull(backgroundJobs.deadAt)),
    });
}

type Recurring = Pick<Lease, "kind" | "key"> & { now: Date; wait: number; lease: number };

/**
 * Queues a recurring job, unless it exists. An existing one then waits at most `wait` ms from now or, if it has been
 * taken, keeps its lease for at most `lease` ms. Without this, a job that a process with a fast clock has postponed or
 * taken would stay so until that time.
 */
export async function enqueueOnce(db: Db, { kind, key, now, wait, lease }: Recurring): Promise<void> {
  const most = sql`case when ${backgroundJobs.lease} is null then ${wait}::float8 else ${lease}::float8 end`;
  const latest = sql`${instant(now)} + ${most} * interval '1 millisecond'`;
  await db
    .insert(backgroundJobs)
    .values({ kind, key, dueAt: now })
    .onConflictDoUpdate({
      target: [backgroundJobs.kind, backgroundJobs.key],
      set: { dueAt: latest },
      setWhere: gt(backgroundJobs.dueAt, latest),
    });
}

type Pace = { kind: string; lease: number; longestWait: number; now: Date };

/**
 * Makes jobs due that wait for longer than this kind ever does: now, or after a lease if they have been taken. Without
 * this, jobs that a process with a fast clock has postponed or taken would stay so until that time.
 */
export async function resetFutureDueTimes(db: Db, { kind, lease, longestWait, now }: Pace): Promise<void> {
  const after = (wait: number) => new Date(now.getTime() + wait);
  const latest = after(Math.max(lease, longestWait) + MAX_CLOCK_SKEW_MS);
  const isPutOff = and(eq(backgroundJobs.kind, kind), isNull(backgroundJobs.deadAt), gt(backgroundJobs.dueAt, latest));
  const dueAt = sql`case when ${backgroundJobs.lease} is null then ${instant(now)} else ${instant(after(lease))} end`;
  await db.update(backgroundJobs).set({ dueAt }).where(isPutOff);
}

/** `requestId` is the id of the request that queued the job. */
export type Taken = Job & { isOver: boolean; requestId: string | null };
/** `inHand` are the jobs that this process is running. */
type Taking = { kinds: JobKinds; inHand: readonly Pick<Job, "kind" | "key">[]; now: Date };

/**
 * Takes due jobs, those due for longest first, and as many of each kind as this process has room for, so that a long
 * queue of one kind does not delay another. Skips jobs that another process is taking at the same moment.
 */
export async function leaseDueJobs(db: Db, taking: Taking): Promise<Taken[]> {
  const { rows } = await db.execute<Taken>(describeTaking(taking));
  return rows;
}

/**
 * Describes the statement that takes jobs. A job has expired only if our clock and the database's both say so, because
 * a job given up by a fast clock is lost for good. Jobs are found again by their position in the table (ctid), because
 * a join without fresh statistics would read the whole table.
 */
export function describeTaking({ inHand, kinds, now }: Taking): SQL {
  const wanted = Object.entries(kinds).map((kind) => describeWanted(kind, inHand));
  const at = instant(now);
  const firstWord = sql`split_part(key, ' ', 1)`;
  const running = sql`coalesce((wanted.running ->> ${firstWord})::integer, 0)`;
  // Left out while it would skip nothing, so that the index finds exactly the rows that are taken.
  const isAllowed = wanted.some((each) => each.running) ? sql`and ${running} < wanted."perWord"` : sql``;
  return sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as each(kind text, lease integer, room integer, "perWord" integer, running jsonb)
    ), due as materialized (
      select wanted.kind, found.*, wanted."perWord" from wanted cross join lateral (
        select ctid as place, due_at, ${firstWord} as word, ${running} as running from ${backgroundJobs}
        where kind = wanted.kind and dead_at is null and due_at <= ${at} ${isAllowed}
        order by due_at limit wanted.room for update skip locked
      ) as found
    ), allowed as materialized (
      select place, running + row_number() over (partition by kind, word order by due_at) <= "perWord" as fits from due
    )
    update ${backgroundJobs} as job
    set lease = gen_random_uuid(), attempts = attempts + 1,
      due_at = ${at} + (select lease from wanted where wanted.kind = job.kind) * interval '1 millisecond'
    where job.ctid = any (array(select place from allowed where fits))
    returning job.kind, job.key, job.payload, job.attempts, job.lease, job.request_id as "requestId",
      coalesce(job.expires_at <= least(${at}, now()), false) as "isOver"`;
}

function describeWanted([kind, rules]: [string, JobKind], inHand: Taking["inHand"]) {
  const { atOnce, atOncePerFirstWord, lease } = rules;
  const own = inHand.filter((job) => job.kind === kind);
  const byWord = Map.groupBy(atOncePerFirstWord ? own : [], ({ key }) => key.split(" ", 1)[0]);
  return {
    kind,
    lease,
    room: countFree(rules, own.length),
    perWord: atOncePerFirstWord ?? atOnce,
    ...(byWord.size > 0 && { running: Object.fromEntries(Array.from(byWord, ([word, { length }]) => [word, length])) }),
  };
}

/** Returns how many more jobs of a kind a process can take that runs so many. */
export const countFree = ({ atOnce, isReady = () => true }: JobKind, running: number): number =>
  isReady() ? atOnce - running : 0;

const isOf = ({ kind, key, lease }: Lease) =>
  and(eq(backgroundJobs.kind, kind), eq(backgroundJobs.key, key), eq(backgroundJobs.lease, lease));

/**
 * Returns a condition for writes: true if the lease is still valid. Locks the job, so that nobody takes it over until
 * the transaction ends.
 */
export const isHeld = (db: Db | Tx, lease: Lease): SQL =>
  exists(db.select({ key: backgroundJobs.key }).from(backgroundJobs).where(isOf(lease)).for("update"));

/** Keeps the lease of a job until the transaction ends. Throws LeaseLost if another process has taken the job over. */
export async function lockLease(tx: Tx, lease: Lease): Promise<void> {
  const held = await tx.select({ key: backgroundJobs.key }).from(backgroundJobs).where(isOf(lease)).for("update");
  if (held.length === 0) throw new LeaseLost("the lease of this job is over");
}

export async function deleteJob(db: Db | Tx, lease: Lease): Promise<void> {
  await db.delete(backgroundJobs).where(isOf(lease));
}

type Further = { dueAt: Date; payload?: Job["payload"] | undefined };

/** Postpones a job that has made progress, and resets its attempts. It keeps its payload unless a new one is given. */
export async function continueJob(db: Db, lease: Lease, { dueAt, payload }: Further): Promise<void> {
  await db.update(backgroundJobs).set({ dueAt, payload, attempts: 0, lease: null, lastError: null }).where(isOf(lease));
}

type Failure = { dueAt: Date; lastError: string };

/** Postpones a job that failed, but at most until it expires. Then it is taken once more and given up. */
export async function postponeJob(db: Db, lease: Lease, { dueAt, lastError }: Failure): Promise<void> {
  const next = sql`least(${instant(dueAt)}, ${backgroundJobs.expiresAt})`;
  await db.update(backgroundJobs).set({ dueAt: next, lease: null, lastError }).where(isOf(lease));
}

/** Gives a job up. Without a new error, it keeps that of its last attempt. */
export async function markJobDead(db: Db, lease: Lease, { deadAt, lastError }: { deadAt: Date; lastError?: string }) {
  await db
    .update(backgroundJobs)
    .set({ deadAt, lease: null, ...(lastError && { lastError }) })
    .where(isOf(lease));
}

/**
 * Ends every lease. Only for the start of a process that is alone on its database, because then nobody else runs jobs.
 */
export async function releaseAllLeases(db: Db, now: Date): Promise<void> {
  await db.update(backgroundJobs).set({ dueAt: now, lease: null }).where(isNotNull(backgroundJobs.lease));
}

/** Dead jobs, and expired jobs that nobody took, once operators have had so many days to look at them. */
export const oldJobs = (days: number): Prunable => ({
  table: backgroundJobs,
  isOver: (now) =>
    sql`coalesce(${backgroundJobs.deadAt}, ${backgroundJobs.expiresAt}) < ${new Date(now.getTime() - days * DAY_SECONDS * 1000)}`,
});
