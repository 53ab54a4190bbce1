import { and, eq, exists, gt, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { CLOCKS_APART } from "../db/clock.ts";
import { backgroundJobs } from "../db/schema.ts";
import { findRequestId } from "../log/current-request.ts";
import { LeaseLost, type Job, type JobKinds, type Lease } from "./job.ts";
import { DAY_SECONDS, type Prunable } from "./prune.ts";

type NewJob = Pick<typeof backgroundJobs.$inferInsert, "kind" | "key" | "payload" | "recipient" | "expiresAt"> & {
  dueAt: Date | SQL<Date>;
};

const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`;

/** When a job is due that is due at once: by the database's clock where that of this process is ahead. */
export const dueAtOnce = (now: Date): SQL<Date> => sql<Date>`least(${instant(now)}, now())`;

/**
 * Queues a job in the transaction that causes it: both happen or neither. One that waits already stays as it is. One
 * that somebody has in hand, and may have looked at too early, is done again.
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
 * Queues a job that is never done, unless it is known already: then it waits, or is in hand, for so many milliseconds
 * from now at most. What a clock that was ahead has put off, or taken, would stay so until that time.
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
 * Has jobs of a kind that wait for longer than any of them may be done now, or once somebody's lease is over: what a
 * clock that was far ahead has put off, or taken, would stay so until that time.
 */
export async function bringForward(db: Db, { kind, lease, longestWait, now }: Pace): Promise<void> {
  const after = (wait: number) => new Date(now.getTime() + wait);
  const latest = after(Math.max(lease, longestWait) + CLOCKS_APART);
  const isPutOff = and(eq(backgroundJobs.kind, kind), isNull(backgroundJobs.deadAt), gt(backgroundJobs.dueAt, latest));
  const dueAt = sql`case when ${backgroundJobs.lease} is null then ${instant(now)} else ${instant(after(lease))} end`;
  await db.update(backgroundJobs).set({ dueAt }).where(isPutOff);
}

/** `requestId`: of the request that it was queued by. */
export type Taken = Job & { isOver: boolean; requestId: string | null };
type Taking = { kinds: JobKinds; room: (kind: string) => number; now: Date };

/**
 * Takes what is due, the longest due first, of each kind as many as there is room for: a long queue of one keeps no
 * other waiting. What another process is taking at this moment is passed over, not waited for.
 */
export async function takeDue(db: Db, taking: Taking): Promise<Taken[]> {
  const { rows } = await db.execute<Taken>(describeTaking(taking));
  return rows;
}

/**
 * A job has expired when both clocks say so, ours and the database's: what a fast clock gives up is lost for good. Jobs
 * are found again by their place in the table, since a join without fresh statistics would read all of it.
 */
export function describeTaking({ kinds, now, room }: Taking): SQL {
  const wanted = Object.entries(kinds).map(([kind, { lease }]) => ({ kind, lease, room: room(kind) }));
  const at = instant(now);
  return sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as each(kind text, lease integer, room integer)
    ), due as materialized (
      select found.place from wanted cross join lateral (
        select ctid as place from ${backgroundJobs}
        where kind = wanted.kind and dead_at is null and due_at <= ${at}
        order by due_at limit wanted.room for update skip locked
      ) as found
    )
    update ${backgroundJobs} as job
    set lease = gen_random_uuid(), attempts = attempts + 1,
      due_at = ${at} + (select lease from wanted where wanted.kind = job.kind) * interval '1 millisecond'
    where job.ctid = any (array(select place from due))
    returning job.kind, job.key, job.payload, job.attempts, job.lease, job.request_id as "requestId",
      coalesce(job.expires_at <= least(${at}, now()), false) as "isOver"`;
}

const isOf = ({ kind, key, lease }: Lease) =>
  and(eq(backgroundJobs.kind, kind), eq(backgroundJobs.key, key), eq(backgroundJobs.lease, lease));

/** For the condition of a write: true for who has the job, whom nobody relieves until the transaction ends. */
export const isHeld = (db: Db | Tx, lease: Lease): SQL =>
  exists(db.select({ key: backgroundJobs.key }).from(backgroundJobs).where(isOf(lease)).for("update"));

/** Keeps a job its holder's until the transaction ends. Throws LeaseLost where it is somebody else's by now. */
export async function holdLease(tx: Tx, lease: Lease): Promise<void> {
  const held = await tx.select({ key: backgroundJobs.key }).from(backgroundJobs).where(isOf(lease)).for("update");
  if (held.length === 0) throw new LeaseLost("the lease of this job is over");
}

export async function deleteJob(db: Db | Tx, lease: Lease): Promise<void> {
  await db.delete(backgroundJobs).where(isOf(lease));
}

type Further = { dueAt: Date; payload?: Job["payload"] | undefined };

/** Puts a job that got further off and counts its attempts anew. It keeps its payload unless another one is given. */
export async function continueJob(db: Db, lease: Lease, { dueAt, payload }: Further): Promise<void> {
  await db.update(backgroundJobs).set({ dueAt, payload, attempts: 0, lease: null, lastError: null }).where(isOf(lease));
}

type Failure = { dueAt: Date; lastError: string };

/** Puts a job that failed off, until it expires at the latest: then it is taken once more, and given up. */
export async function postponeJob(db: Db, lease: Lease, { dueAt, lastError }: Failure): Promise<void> {
  const next = sql`least(${instant(dueAt)}, ${backgroundJobs.expiresAt})`;
  await db.update(backgroundJobs).set({ dueAt: next, lease: null, lastError }).where(isOf(lease));
}

/** Gives a job up. Without an error of its own the one of its last attempt stands. */
export async function buryJob(db: Db, lease: Lease, { deadAt, lastError }: { deadAt: Date; lastError?: string }) {
  await db
    .update(backgroundJobs)
    .set({ deadAt, lease: null, ...(lastError && { lastError }) })
    .where(isOf(lease));
}

/** Ends every lease: for a start of the only process there is, since nobody else can be at it. */
export async function releaseJobs(db: Db, now: Date): Promise<void> {
  await db.update(backgroundJobs).set({ dueAt: now, lease: null }).where(isNotNull(backgroundJobs.lease));
}

/** The dead, and what nobody has taken in its time, once somebody has had some days to look at them. */
export const oldJobs = (days: number): Prunable => ({
  table: backgroundJobs,
  isOver: (now) =>
    sql`coalesce(${backgroundJobs.deadAt}, ${backgroundJobs.expiresAt}) < ${new Date(now.getTime() - days * DAY_SECONDS * 1000)}`,
});
