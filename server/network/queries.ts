import { desc, gt, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import {
  backgroundJobs,
  campaignSubmissions,
  heartbeatTotals,
  networkDays,
  pointsDaily,
  referrals,
  signUps,
  users,
} from "../db/schema.ts";

/** The latest day that was summed up, today at the latest; undefined before the first. */
export async function findLatestDay(db: Db | Tx, today: string) {
  const [latest] = await db
    .select()
    .from(networkDays)
    .where(lte(networkDays.day, today))
    .orderBy(desc(networkDays.day))
    .limit(1);
  return latest;
}

/** Forgets days that have not come yet, which a clock that was ahead has begun: they are summed up when they come. */
export async function deleteDaysAfter(tx: Tx, today: string): Promise<void> {
  await tx.delete(networkDays).where(gt(networkDays.day, today));
}

/** How many members there are, from the days: one short row each. */
export async function sumMembers(db: Db): Promise<number> {
  const [sum] = await db
    .select({ members: sql`coalesce(sum(${networkDays.joined} - ${networkDays.left}), 0)`.mapWith(Number) })
    .from(networkDays);
  return sum?.members ?? 0;
}

type Since = { first: string; today: string; now: Date };

const pointsOf = (category: string) => sql`sum(points) filter (where category = ${sql.raw(`'${category}'`)})`;

const dayOf = (instant: unknown) => sql`(${instant} at time zone 'UTC')::date`;

/**
 * What happened on each day from the first one on, by the indexes of when it happened. Only who was heard is found by
 * looking at every node, which an index would make every heartbeat pay for.
 */
export const describeDays = ({ first, today, now }: Since) => {
  const since = sql`(${first}::date::timestamp at time zone 'UTC')`;
  const at = sql`${now.toISOString()}::timestamptz`;
  return sql`
    with happened as (
      select ${dayOf(users.createdAt)} as day, 'joined' as category, 0::numeric as points, count(*) as times
      from ${users} where ${users.createdAt} >= ${since} group by 1
      union all
      select ${dayOf(users.deletedAt)}, 'left', 0, count(*)
      from ${users} where ${users.deletedAt} is not null and ${users.deletedAt} >= ${since} group by 1
      union all
      select ${pointsDaily.day}, ${pointsDaily.category}, sum(${pointsDaily.points}), sum(${pointsDaily.entries})
      from ${pointsDaily} where ${pointsDaily.day} >= ${first}::date group by 1, 2
      union all
      select ${dayOf(referrals.claimedAt)}, 'claimed', 0, count(*)
      from ${referrals} where ${referrals.claimedAt} is not null and ${referrals.claimedAt} >= ${since} group by 1
      union all
      select ${dayOf(campaignSubmissions.claimedAt)}, 'claimed', 0, count(*)
      from ${campaignSubmissions}
      where ${campaignSubmissions.claimedAt} is not null and ${campaignSubmissions.claimedAt} >= ${since} group by 1
      union all
      select ${today}::date, 'today', 0, 0
    ),
    heard as (
      select count(*) filter (where ${heartbeatTotals.lastBeatAt} > ${at} - interval '1 hour') as in_hour, count(*) as in_day
      from ${heartbeatTotals} where ${heartbeatTotals.lastBeatAt} > ${at} - interval '1 day'
    )
    select day,
      coalesce(sum(times) filter (where category = 'joined'), 0)::integer,
      coalesce(sum(times) filter (where category = 'left'), 0)::integer,
      coalesce(${pointsOf("Connectivity")}, 0), coalesce(${pointsOf("Referral")}, 0),
      coalesce(${pointsOf("Rewards")}, 0), coalesce(${pointsOf("Others")}, 0),
      coalesce(sum(times) filter (where category = 'claimed'), 0)::bigint,
      heard.in_hour::integer, heard.in_day::integer, ${at}
    from happened, heard
    where day <= ${today}::date
    group by day, heard.in_hour, heard.in_day`;
};

/** Writes the sums of these days down, in place of what was there. */
export async function saveDays(tx: Tx, since: Since): Promise<void> {
  await tx.execute(sql`
    insert into ${networkDays} (day, joined, "left", connectivity, referral, rewards, others, claims,
      heard_in_hour, heard_in_day, summed_at)
    ${describeDays(since)}
    on conflict (day) do update set joined = excluded.joined, "left" = excluded.left,
      connectivity = excluded.connectivity, referral = excluded.referral, rewards = excluded.rewards,
      others = excluded.others, claims = excluded.claims, heard_in_hour = excluded.heard_in_hour,
      heard_in_day = excluded.heard_in_day, summed_at = excluded.summed_at`);
}

/** Nobody needs to know more exactly what waits for a decision, and no page is to wait for it. */
const MOST_COUNTED = 10_000;

/** What waits for a decision or a confirmation, by the indexes of just that. */
export const describeWaiting = (now: Date) => sql<{ held: number; unconfirmed: number }>`
  select
    (select count(*)::integer from (
      select from ${referrals} where ${referrals.heldAt} is not null and ${referrals.reviewedAt} is null limit ${MOST_COUNTED}
    ) as held) as held,
    (select count(*)::integer from (
      select from ${signUps} where ${signUps.expiresAt} > ${now.toISOString()}::timestamptz and ${signUps.usedAt} is null
      limit ${MOST_COUNTED}
    ) as unconfirmed) as unconfirmed`;

export const describeDead = () => sql<{ kind: string; dead: number }>`
  select kind, count(*)::integer as dead from ${backgroundJobs} where ${backgroundJobs.deadAt} is not null group by kind`;
