import { desc, gt, lte, sql, type SQLWrapper } from "drizzle-orm";
import { CHAIN } from "../chain/submit.ts";
import type { Db, Tx } from "../db/client.ts";
import {
  adjustmentRequests,
  administrators,
  backgroundJobs,
  campaignSubmissions,
  chainJobs,
  heartbeatTotals,
  networkDays,
  pointsDaily,
  pointsLedger,
  referrals,
  signUps,
  users,
} from "../db/schema.ts";
import { HEARTBEAT_REWARD_ID } from "../heartbeats/contract.ts";
import { HEARTBEAT_REWARD_RULE } from "../heartbeats/earning.ts";
import { MAX_COUNTED } from "./contract.ts";

/** Returns the latest day that was summed up, today at the latest. Undefined before the first. */
export async function findLatestDay(db: Db, today: string) {
  const [latest] = await db
    .select()
    .from(networkDays)
    .where(lte(networkDays.day, today))
    .orderBy(desc(networkDays.day))
    .limit(1);
  return latest;
}

/** Deletes future days, which a process with a fast clock has started. They are summed up when they come. */
export async function deleteDaysAfter(db: Db, today: string): Promise<void> {
  await db.delete(networkDays).where(gt(networkDays.day, today));
}

/** Counts members by adding up the days, which are one short row each. */
export async function sumMembers(db: Db): Promise<number> {
  const [sum] = await db
    .select({ members: sql`coalesce(sum(${networkDays.joined} - ${networkDays.left}), 0)`.mapWith(Number) })
    .from(networkDays);
  return sum?.members ?? 0;
}

/** Returns the first day on which anything happened, today at the latest. */
export async function findFirstDay(db: Db, today: string): Promise<string> {
  const first = sql`least(
    (select (min(${users.createdAt}) at time zone 'UTC')::date from ${users}),
    (select min(${pointsDaily.day}) from ${pointsDaily}),
    ${today}::date)`;
  const { rows } = await db.execute<{ first: string }>(sql`select ${first}::text as first`);
  return rows[0]?.first ?? today;
}

type Day = { day: string; isToday: boolean; now: Date };

const pointsOf = (category: string) => sql`sum(points) filter (where category = ${sql.raw(`'${category}'`)})`;

/**
 * Describes the statement that sums up a day, with indexes on the times of the events. Only recent heartbeats, which
 * are counted just for today, require a look at every node: an index would make each heartbeat more expensive. Claims
 * of the heartbeat reward are only in the ledger, which is looked up for the members with such points on that day.
 */
export const describeDay = ({ day, isToday, now }: Day) => {
  const begins = sql`(${day}::date::timestamp at time zone 'UTC')`;
  const ends = sql`((${day}::date + 1)::timestamp at time zone 'UTC')`;
  const isThen = (instant: SQLWrapper) =>
    sql`${instant} is not null and ${instant} >= ${begins} and ${instant} < ${ends}`;
  const at = sql`${now.toISOString()}::timestamptz`;
  return sql`
    with happened as (
      select 'joined' as category, 0::numeric as points, count(*) as times from ${users} where ${isThen(users.createdAt)}
      union all
      select 'left', 0, count(*) from ${users} where ${isThen(users.deletedAt)}
      union all
      select ${pointsDaily.category}, sum(${pointsDaily.points}), sum(${pointsDaily.entries})
      from ${pointsDaily} where ${pointsDaily.day} = ${day}::date group by 1
      union all
      select 'claimed', 0, count(*) from ${referrals} where ${isThen(referrals.claimedAt)}
      union all
      select 'claimed', 0, count(*) from ${campaignSubmissions} where ${isThen(campaignSubmissions.claimedAt)}
      union all
      select 'claimed', 0, count(*) from ${pointsDaily}
      join ${pointsLedger} on ${pointsLedger.userId} = ${pointsDaily.userId}
        and ${pointsLedger.source} = ${HEARTBEAT_REWARD_RULE.source}
        and ${pointsLedger.sourceId} = ${HEARTBEAT_REWARD_ID} and ${isThen(pointsLedger.occurredAt)}
      where ${pointsDaily.day} = ${day}::date and ${pointsDaily.category} = ${HEARTBEAT_REWARD_RULE.category}
    ),
    heard as (
      select count(*) filter (where ${heartbeatTotals.lastBeatAt} > ${at} - interval '1 hour') as in_hour, count(*) as in_day
      from ${heartbeatTotals} where ${heartbeatTotals.lastBeatAt} > ${at} - interval '24 hours' and ${isToday}::boolean
    )
    select ${day}::date,
      coalesce(sum(times) filter (where category = 'joined'), 0)::integer,
      coalesce(sum(times) filter (where category = 'left'), 0)::integer,
      coalesce(${pointsOf("Connectivity")}, 0), coalesce(${pointsOf("Referral")}, 0),
      coalesce(${pointsOf("Rewards")}, 0), coalesce(${pointsOf("Others")}, 0),
      coalesce(sum(times) filter (where category = 'claimed'), 0)::bigint,
      heard.in_hour::integer, heard.in_day::integer, ${at}
    from happened, heard
    group by heard.in_hour, heard.in_day`;
};

/** Saves the sums of a day, in place of earlier ones. Recent heartbeats stay as they were counted on the day itself. */
export async function saveDay(db: Db, day: Day): Promise<void> {
  const keeping = (column: string) => sql.raw(day.isToday ? `excluded.${column}` : `network_days.${column}`);
  await db.execute(sql`
    insert into ${networkDays} (day, joined, "left", connectivity, referral, rewards, others, claims,
      heard_in_hour, heard_in_day, summed_at)
    ${describeDay(day)}
    on conflict (day) do update set joined = excluded.joined, "left" = excluded.left,
      connectivity = excluded.connectivity, referral = excluded.referral, rewards = excluded.rewards,
      others = excluded.others, claims = excluded.claims, heard_in_hour = ${keeping("heard_in_hour")},
      heard_in_day = ${keeping("heard_in_day")}, summed_at = excluded.summed_at`);
}

/**
 * Describes the statement that counts what waits for a decision or a confirmation. Each has its own index. A request
 * whose requester has lost the role since cannot be approved, and does not count.
 */
export const describeWaiting = (now: Date) => sql<{ held: number; requested: number; unconfirmed: number }>`
  select
    (select count(*)::integer from (
      select from ${adjustmentRequests}
      where ${adjustmentRequests.decision} is null and ${adjustmentRequests.expiresAt} > ${now.toISOString()}::timestamptz
        and exists (
          select from ${administrators} where ${administrators.userId} = ${adjustmentRequests.requestedBy}
            and ${administrators.since} <= ${adjustmentRequests.requestedAt}
        )
      limit ${MAX_COUNTED}
    ) as requested) as requested,
    (select count(*)::integer from (
      select from ${referrals} where ${referrals.heldAt} is not null and ${referrals.reviewedAt} is null limit ${MAX_COUNTED}
    ) as held) as held,
    (select count(*)::integer from (
      select from ${signUps} where ${signUps.expiresAt} > ${now.toISOString()}::timestamptz and ${signUps.usedAt} is null
      limit ${MAX_COUNTED}
    ) as unconfirmed) as unconfirmed`;

export const describeDead = () => sql<{ kind: string; dead: number }>`
  select kind, count(*)::integer as dead from ${backgroundJobs} where ${backgroundJobs.deadAt} is not null group by kind`;

/** After so many attempts, a failure is no longer a hiccup. */
const AGAIN_AND_AGAIN = 3;

type Queued = { kind: string; state: string | null; queued: number; failing: number; oldestDueSeconds: number };

/** Counts how much is queued of each kind, and how many chain jobs are in each state, with the index of due jobs. */
export async function countQueued(tx: Tx, now: Date): Promise<Queued[]> {
  const { rows } = await tx.execute<Queued>(sql`
    select kind, null as state, count(*)::integer as queued,
      (count(*) filter (where attempts >= ${AGAIN_AND_AGAIN} and last_error is not null))::integer as failing,
      greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - min(due_at)))::float8 as "oldestDueSeconds"
    from ${backgroundJobs} where dead_at is null group by kind
    union all
    select queue.kind, job.state, count(*)::integer, 0, 0
    from ${backgroundJobs} as queue
    join ${chainJobs} as job on job.id = case when queue.kind = ${CHAIN} then queue.key::uuid end
    where queue.kind = ${CHAIN} and queue.dead_at is null group by queue.kind, job.state`);
  return rows;
}
