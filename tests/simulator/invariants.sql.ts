/*
 * What must hold in the database after every step, whoever did what: each part returns the rows that break it. Written
 * independently of the product, which may be wrong about itself.
 */

const CATEGORIES = ["Connectivity", "Referral", "Rewards", "Others"];
const sums = CATEGORIES.map(
  (each) => `coalesce(sum(points) filter (where category = '${each}'), 0) as ${each.toLowerCase()}`,
);

const PARTS: Record<string, string> = {
  "the totals are the sums of the ledger": `
    select user_id::text as what
    from (select user_id, ${sums.join(", ")} from points_ledger group by 1) as made
      full join points_totals as kept using (user_id)
    where (coalesce(made.connectivity, 0), coalesce(made.referral, 0), coalesce(made.rewards, 0), coalesce(made.others, 0))
      is distinct from (coalesce(kept.connectivity, 0), coalesce(kept.referral, 0), coalesce(kept.rewards, 0), coalesce(kept.others, 0))`,
  "the days are the sums of the ledger": `
    select concat_ws(' ', user_id, day, category)
    from (
      select user_id, (occurred_at at time zone 'UTC')::date as day, category, sum(points) as points, count(*) as entries
      from points_ledger group by 1, 2, 3
    ) as made full join points_daily as kept using (user_id, day, category)
    where (made.points, made.entries) is distinct from (kept.points, kept.entries)`,
  "each event earns once": `
    select concat_ws(' ', user_id, source, source_id) from points_ledger group by user_id, source, source_id having count(*) > 1`,
  "each beat is paid, and counted": `
    select user_id::text
    from (select user_id, count(*) as beats from heartbeats group by 1) as beats
      full join heartbeat_totals as totals using (user_id)
      full join (select user_id, count(*) as paid from points_ledger where source = 'heartbeat' group by 1) as paid using (user_id)
    where (coalesce(beats, 0), coalesce(beats, 0)) is distinct from (coalesce(heartbeats, 0), coalesce(paid, 0))`,
  "the sums of invitations are right": `
    select user_id::text
    from (
      select inviter_id as user_id, count(*) as invited, count(claimed_at) as successful,
        coalesce(sum(invited_points) filter (where claimed_at is not null), 0) as points
      from referrals where review is distinct from 'refused' group by 1
    ) as made full join referral_totals as kept using (user_id)
    where (coalesce(made.invited, 0), coalesce(made.successful, 0), coalesce(made.points, 0))
      is distinct from (coalesce(kept.invited, 0), coalesce(kept.successful, 0), coalesce(kept.points, 0))`,
  "who joined with a link is paid, unless that is held": `
    select id::text from referrals as invitation
    where exists (
      select from points_ledger where user_id = invitee_id and rule = 'referral-joined' and source_id = invitation.id::text
    ) <> (held_reason is null or review is not distinct from 'released')`,
  "an invitation is paid when it is claimed, and is not while it is held": `
    select id::text from referrals as invitation
    where exists (
      select from points_ledger where user_id = inviter_id and rule = 'referral-claimed' and source_id = invitation.id::text
    ) <> (claimed_at is not null)
    or claimed_at is not null and held_reason is not null and review is distinct from 'released'`,
  "points of invitations are those of invitations": `
    select entry.id::text from points_ledger as entry
      left join referrals as own on own.id::text = entry.source_id and entry.user_id in (own.inviter_id, own.invitee_id)
    where entry.source = 'referral' and own.id is null`,
  "a reward is paid when it is claimed": `
    select concat_ws(' ', user_id, campaign_id) from campaign_submissions as submission
    where exists (
      select from points_ledger as entry
      where entry.user_id = submission.user_id and source = 'campaign' and source_id = campaign_id
    ) <> (claimed_at is not null)`,
  "what was gathered is paid, up to what a day may earn": `
    select concat_ws(' ', user_id, kind, reference) from content_contributions as item
      join users on users.id = item.user_id and deleted_at is null
    where exists (
      select from points_ledger as entry
      where entry.user_id = item.user_id and source = 'content' and source_id = kind || ':' || reference and entry.points = item.points
    ) <> (item.points > 0)`,
  "what was gathered is counted": `
    select user_id::text
    from (select user_id, count(*) as items from content_contributions group by 1) as made
      full join content_totals as kept using (user_id)
    where coalesce(made.items, 0) <> coalesce(kept.contributions, 0)`,
  "the jobs of a day are counted": `
    select user_id::text
    from (select user_id, count(*) as jobs, sum(result_size) as size from jobs group by 1) as made
      full join (select user_id, sum(jobs) as jobs, sum(result_size) as size from jobs_daily group by 1) as kept using (user_id)
    where (made.jobs, made.size) is distinct from (kept.jobs, kept.size)`,
  "points that were adjusted are in the audit log, and the other way round": `
    select coalesce(entry.id, note.id)::text
    from (select * from points_ledger where source = 'adjustment') as entry
      full join (select * from audit_entries where action = 'points.adjusted') as note
        on note.subject_id = entry.user_id::text and (note.details->>'points')::numeric = entry.points
        and (note.details->>'key' = entry.source_id or entry.source_id = entry.id::text)
    where entry.id is null or note.id is null`,
  "who is on the whitelist, or blocked, is so by the audit log": `
    select users.id::text from users
      left join lateral (
        select action from audit_entries where subject_id = users.id::text and action like 'whitelist.%' order by ctid desc limit 1
      ) as listed on true
      left join lateral (
        select action from audit_entries where subject_id = users.id::text and action in ('member.blocked', 'member.unblocked') order by ctid desc limit 1
      ) as stopped on true
    where deleted_at is null and (
      is_whitelisted <> (listed.action is not distinct from 'whitelist.set')
      or (blocked_at is not null) <> (stopped.action is not distinct from 'member.blocked'))`,
  "what was completed is in the audit log": `
    select concat_ws(' ', user_id, campaign_id) from campaign_submissions
    where not exists (
      select from audit_entries
      where action = 'completion.recorded' and subject_id = user_id::text and details->>'campaignId' = campaign_id)`,
  "what was decided on an invitation is in the audit log": `
    select id::text from referrals as invitation
    where (review is not null) <> exists (
      select from audit_entries where subject_id = invitation.id::text and action = 'referral.' || review)`,
  "nobody has two accounts or identities under way": `
    select concat_ws(' ', user_id, kind) from chain_jobs where state <> 'failed' group by user_id, kind having count(*) > 1`,
  "an account is on the ledger when its job says so": `
    select 'accounts' where (select count(*) from chain_jobs where kind = 'deploy' and state = 'finalized')
      <> (select count(*) from ledger_accounts)
    union all
    select 'identities' where (select count(*) from chain_jobs where kind = 'execute' and state = 'finalized')
      <> (select count(*) from ledger_attributes)`,
  "a wallet belongs to one account": `
    select lower(wallet) from users where wallet is not null group by 1 having count(*) > 1`,
  "nothing is left of whom a deleted account was": `
    select users.id::text from users
    where deleted_at is not null and (
      exists (select from sessions where user_id = users.id) or exists (select from node_devices where user_id = users.id)
      or exists (select from known_devices where user_id = users.id)
      or exists (select from content_contributions where user_id = users.id)
      or exists (select from heartbeats where user_id = users.id and device_id is not null))`,
};

/** Returns every rule that is broken, with the rows that break it. */
export const BREACHES = Object.entries(PARTS)
  .map(([rule, rows]) => `select '${rule}' as rule, what::text from (${rows}) as broken (what)`)
  .join(" union all ");

/** The numbers that may only grow, by member and source, and all members. */
export const TALLIES = `
  select users.id, users.email, users.deleted_at is not null as "isErased", users.blocked_at is not null as "isBlocked",
    users.is_whitelisted as "isWhitelisted",
    coalesce((select json_object_agg(source, count) from (
      select source, count(*) from points_ledger where user_id = users.id group by 1) as each), '{}') as entries,
    (select count(*)::integer from audit_entries) as audit
  from users order by users.id`;
