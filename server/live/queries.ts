import { sql } from "drizzle-orm";
import { opaqueParam } from "../db/opaque-param.ts";
import { prepared } from "../db/prepared.ts";
import {
  campaignSubmissions,
  chainJobs,
  contentTotals,
  heartbeatTotals,
  jobsDaily,
  machineIdentities,
  pointsDaily,
  pointsTotals,
  refusedBeats,
  referrals,
  referralTotals,
  sessions,
  users,
} from "../db/schema.ts";
import { HEARTBEATS_REQUIRED } from "../heartbeats/contract.ts";

/** How many of a member's newest invitations (neither claimed nor held) are checked for whether they can be claimed. */
const WATCHED_INVITATIONS = 20;

const number = (expression: string) => sql.raw(`coalesce(${expression}, 0)`).mapWith(Number);

/**
 * Reads the current state of connected members, by session. It only uses lookups by key in sums that exist anyway, so
 * it costs the same however long a member has been here. Leaves out sessions that have ended or are due at their
 * authentication provider.
 */
export const findStates = prepared((db) =>
  db
    .select({
      sessionId: sql<string>`watched.session_id`,
      userId: sql<string>`watched.user_id`,
      genesisSnapshot: sql`member.heartbeats_genesis_snapshot`.mapWith(Number),
      connectivity: number("totals.connectivity"),
      referral: number("totals.referral"),
      rewards: number("totals.rewards"),
      others: number("totals.others"),
      today: number("today.points"),
      heartbeats: number("beats.heartbeats"),
      lastBeatAt: sql`beats.last_beat_at`.mapWith(heartbeatTotals.lastBeatAt),
      refusedAt: sql<Date | null>`refused.received_at`.mapWith(refusedBeats.receivedAt),
      invited: number("friends.invited"),
      successful: number("friends.successful"),
      referralPoints: number("friends.points"),
      claimable: number("waiting.claimable"),
      contributions: number("content.contributions"),
      jobs: number("gathered.jobs"),
      resultSize: number("gathered.result_size"),
      submissions: number("done.submissions"),
      claims: number("done.claims"),
      wallet: sql<string | null>`member.wallet`,
      isWhitelisted: sql<boolean>`member.is_whitelisted`,
      updatedAt: sql`member.updated_at`.mapWith(users.updatedAt),
      chainJobs: sql<string | null>`chain.jobs`,
      requestedAt: sql<Date | null>`identity.requested_at`.mapWith(machineIdentities.requestedAt),
      signedAt: sql<Date | null>`identity.signed_at`.mapWith(machineIdentities.signedAt),
    })
    .from(sql`unnest(${opaqueParam("userIds", "uuid[]")}, ${opaqueParam("sessionIds", "uuid[]")})
        as watched (user_id, session_id)
      join ${sessions} as session on session.user_id = watched.user_id and session.id = watched.session_id
        and session.revoked_at is null and session.expires_at > ${opaqueParam("now", "timestamptz")}
        and session.last_seen_at > ${opaqueParam("idleSince", "timestamptz")}
        and (session.provider_expires_at is null
          or session.provider_expires_at > ${opaqueParam("dueSince", "timestamptz")})
      join ${users} as member on member.id = watched.user_id
      left join ${pointsTotals} as totals on totals.user_id = watched.user_id
      left join ${heartbeatTotals} as beats on beats.user_id = watched.user_id
      left join ${referralTotals} as friends on friends.user_id = watched.user_id
      left join ${contentTotals} as content on content.user_id = watched.user_id
      left join ${machineIdentities} as identity on identity.user_id = watched.user_id
      left join lateral (
        select string_agg(concat(job.kind, ' ', job.state), ',' order by job.created_at, job.id) as jobs
        from ${chainJobs} as job where job.user_id = watched.user_id
      ) as chain on true
      left join lateral (
        select sum(jobs) as jobs, sum(result_size) as result_size from ${jobsDaily} as daily
        where daily.user_id = watched.user_id and daily.day >= ${opaqueParam("reportedFrom", "date")}
      ) as gathered on true
      left join lateral (
        select sum(points) as points from ${pointsDaily} as daily
        where daily.user_id = watched.user_id and daily.day = ${opaqueParam("today", "date")}
      ) as today on true
      left join lateral (
        select received_at from ${refusedBeats} as beat
        where beat.user_id = watched.user_id order by received_at desc limit 1
      ) as refused on true
      left join lateral (
        select count(*) as submissions, count(claimed_at) as claims from ${campaignSubmissions} as submission
        where submission.user_id = watched.user_id
      ) as done on true
      left join lateral (
        select count(*) filter (where (invitee.wallet is not null or open.settled_at is not null)
            and its.heartbeats >= ${sql.raw(String(HEARTBEATS_REQUIRED))}) as claimable
        from (
          select invitation.invitee_id, invitation.settled_at from ${referrals} as invitation
          where invitation.inviter_id = watched.user_id and invitation.claimed_at is null
            and (invitation.held_at is null or invitation.review = 'released')
          order by invitation.invited_at desc nulls last, invitation.id desc nulls last
          limit ${sql.raw(String(WATCHED_INVITATIONS))}
        ) as open
        join ${users} as invitee on invitee.id = open.invitee_id
        left join ${heartbeatTotals} as its on its.user_id = open.invitee_id
      ) as waiting on true`)
    .prepare("find_live_states"),
);

export type LiveState = Awaited<ReturnType<ReturnType<typeof findStates>["execute"]>>[number];
