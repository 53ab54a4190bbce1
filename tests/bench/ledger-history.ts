import type { Client } from "pg";

/*
 * Creates two years of a network, set by set: members' heartbeats, content, rewards and invitations with a ledger row
 * each, in chronological order, and all sums as the services keep them.
 */

export type NetworkSize = {
  members: number;
  /** The first members have many entries each, the next ones fewer; all others have up to 64. */
  heaviest: { members: number; entries: number };
  heavy: { members: number; entries: number };
};

/** Returns the id of a member by number. The heaviest members have the first ids. */
export const memberId = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;

const MEMBERS = `
  insert into users (id, email, email_key, created_at)
  select ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, number || '@nodebeat.test',
    number || '@nodebeat.test', $2::timestamptz - interval '731 days'
  from generate_series(1, $1::integer) as number`;

/** Every second member joined with a link of the first fiftieth of all members. */
const REFERRALS = `
  insert into referrals (inviter_id, id, invitee_id, invited_points, invited_at, claimed_at)
  select inviter.id, gen_random_uuid(), friend.id, 1000, at, at
  from generate_series(2, $1::integer, 2) as number
  join users as friend on friend.email_key = number || '@nodebeat.test'
  join users as inviter on inviter.email_key = ceil(number / 50.0) || '@nodebeat.test' and inviter.id <> friend.id
  cross join lateral (select $2::timestamptz - number * interval '730 days' / $1::integer as at) as joined`;

/** One entry in five is a heartbeat, one in a hundred a reward, and the others are content. */
const ENTRIES = `
  insert into points_ledger (user_id, id, category, points, comment, source, source_id, rule, rule_version, occurred_at)
  select user_id, gen_random_uuid(), category, points, comment, source, source_id, rule, 1, occurred_at from (
    select users.id as user_id,
      case kind when 0 then 'Connectivity' when 1 then 'Rewards' else 'Others' end as category,
      case kind when 0 then 25 when 1 then 250 else 0.5 end as points,
      case kind when 0 then 'Heartbeat' when 1 then 'Follow us' else 'Comment: about the weather' end as comment,
      case kind when 0 then 'heartbeat' when 1 then 'campaign' else 'content' end as source,
      case kind when 0 then to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') else entry::text end as source_id,
      case kind when 0 then 'points-per-heartbeat' when 1 then 'campaign-bonus' else 'content-gathered' end as rule,
      at as occurred_at
    from generate_series(1, $1::integer) as number
    join users on users.email_key = number || '@nodebeat.test'
    cross join lateral (select case
      when number <= $3::integer then $4::integer
      when number <= $3::integer + $5::integer then $6::integer
      else number % 65
    end as entries) as share
    cross join lateral generate_series(0, entries - 1) as entry
    cross join lateral (select case when entry % 5 = 0 then 0 when entry % 100 = 1 then 1 else 2 end as kind) as chosen
    cross join lateral (
      select $2::timestamptz - entry * interval '730 days' / entries - number % 900 * interval '1 second' as moment
    ) as moments
    cross join lateral (
      select case kind when 0 then date_bin('900 seconds', moment, '1970-01-01Z') else moment end as at
    ) as times
    union all
    select user_id, 'Referral', 1000, comment, 'referral', id::text, rule, invited_at
    from referrals cross join lateral (
      values (inviter_id, 'A friend reached 100 heartbeats', 'referral-claimed'),
        (invitee_id, 'Joined with a friend''s link', 'referral-joined')
    ) as paid (user_id, comment, rule)
  ) as entry order by occurred_at`;

const SUMS = [
  `select add_month('heartbeats', at)
   from generate_series(now() - interval '25 months', now() + interval '1 month', interval '1 month') as at`,
  `insert into heartbeats (user_id, slot_at, beat_at, received_at)
   select user_id, occurred_at, occurred_at, occurred_at from points_ledger where source = 'heartbeat' order by occurred_at`,
  `insert into heartbeat_totals select user_id, count(*), max(beat_at) from heartbeats group by 1`,
  `insert into points_daily (user_id, day, category, points, entries)
   select user_id, (occurred_at at time zone 'UTC')::date, category, sum(points), count(*)
   from points_ledger group by 1, 2, 3 order by 2`,
  `insert into points_totals (user_id, connectivity, referral, rewards, others)
   select user_id, coalesce(sum(points) filter (where category = 'Connectivity'), 0),
     coalesce(sum(points) filter (where category = 'Referral'), 0),
     coalesce(sum(points) filter (where category = 'Rewards'), 0),
     coalesce(sum(points) filter (where category = 'Others'), 0)
   from points_ledger group by 1`,
  `insert into referral_totals (user_id, invited, successful, points)
   select inviter_id, count(*), count(*), sum(invited_points) from referrals group by 1`,
];

/** Fills an empty database with a network whose last day is that of `now`. Returns how many rows there are. */
export async function makeHistory(client: Client, { heaviest, heavy, members }: NetworkSize, now: Date) {
  // Skips foreign key checks, and builds the ledger's indexes at the end, which saves minutes.
  await client.query(
    "set session_replication_role = replica; set maintenance_work_mem = '512MB'; set work_mem = '256MB'",
  );
  await client.query(MEMBERS, [members, now]);
  await client.query("analyze users");
  await client.query(REFERRALS, [members, now]);
  const sizes = [heaviest.members, heaviest.entries, heavy.members, heavy.entries];
  await withoutIndexes(client, "points_ledger", () => client.query(ENTRIES, [members, now, ...sizes]));
  for (const statement of SUMS) await client.query(statement);
  await client.query("set session_replication_role = origin");
  await client.query("vacuum analyze");
  const { rows } = await client.query<{ entries: number; beats: number; members: number }>(
    `select (select count(*) from points_ledger)::integer as entries, (select count(*) from heartbeats)::integer as beats,
      (select count(*) from users)::integer as members`,
  );
  return rows[0];
}

/** Drops the indexes that no constraint uses, and recreates them after the work. */
async function withoutIndexes(client: Client, table: string, work: () => Promise<unknown>) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = $1 and indexname not in (select conname from pg_constraint)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
}
