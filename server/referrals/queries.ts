import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { alias } from "drizzle-orm/pg-core";
import { prepared } from "../db/prepared.ts";
import { heartbeatTotals, referrals, referralTotals, users } from "../db/schema.ts";

/** False when the friend was invited before, by whomever: the unique key decides. */
export async function insertReferral(tx: Tx, referral: typeof referrals.$inferInsert): Promise<boolean> {
  const inserted = await tx.insert(referrals).values(referral).onConflictDoNothing().returning({ id: referrals.id });
  return inserted.length === 1;
}

type Growth = { userId: string; invited: number; successful: number; points: number };

export async function addToTotals(tx: Tx, growth: Growth): Promise<void> {
  await tx
    .insert(referralTotals)
    .values(growth)
    .onConflictDoUpdate({
      target: referralTotals.userId,
      set: {
        invited: sql`${referralTotals.invited} + excluded.invited`,
        successful: sql`${referralTotals.successful} + excluded.successful`,
        points: sql`${referralTotals.points} + excluded.points`,
      },
    });
}

const isWaiting = sql`${referrals.heldAt} is not null and ${referrals.reviewedAt} is null`;
const isNotRefused = sql`${referrals.review} is distinct from 'refused'`;

/** What decides whether a referral can be claimed, as it is now. */
export async function findReferral(tx: Tx, { inviterId, id }: { inviterId: string; id: string }) {
  const [referral] = await tx
    .select({
      claimedAt: referrals.claimedAt,
      invitedPoints: referrals.invitedPoints,
      inviteeEmail: users.email,
      inviteeHeartbeats: sql`coalesce(${heartbeatTotals.heartbeats}, 0)`.mapWith(Number),
      walletConnected: sql<boolean>`${users.wallet} is not null`,
      isHeld: sql<boolean>`${isWaiting}`,
    })
    .from(referrals)
    .innerJoin(users, eq(users.id, referrals.inviteeId))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, referrals.inviteeId))
    .where(and(eq(referrals.inviterId, inviterId), eq(referrals.id, id), isNotRefused));
  return referral;
}

/** True for the one claim that is the first, however many arrive at once. */
export async function markClaimed(tx: Tx, claim: { inviterId: string; id: string; at: Date }): Promise<boolean> {
  const marked = await tx
    .update(referrals)
    .set({ claimedAt: claim.at })
    .where(
      and(
        eq(referrals.inviterId, claim.inviterId),
        eq(referrals.id, claim.id),
        isNull(referrals.claimedAt),
        or(isNull(referrals.heldAt), eq(referrals.review, "released")),
      ),
    )
    .returning({ id: referrals.id });
  return marked.length === 1;
}

type Decision = { id: string; at: Date; review: "released" | "refused" };

/** Decides on a held invitation, once; undefined where none waits. */
export async function reviewHeld(tx: Tx, { id, at, review }: Decision) {
  const [held] = await tx
    .update(referrals)
    .set({ review, reviewedAt: at })
    .where(and(eq(referrals.id, id), isWaiting))
    .returning({ inviterId: referrals.inviterId, inviteeId: referrals.inviteeId });
  return held;
}

/** Invitations that wait for a decision, the oldest first. */
export function findHeld(db: Db) {
  const inviter = alias(users, "inviter");
  return db
    .select({
      id: referrals.id,
      inviter: inviter.email,
      invitee: users.email,
      reason: referrals.heldReason,
      heldAt: referrals.heldAt,
    })
    .from(referrals)
    .innerJoin(inviter, eq(inviter.id, referrals.inviterId))
    .innerJoin(users, eq(users.id, referrals.inviteeId))
    .where(isWaiting)
    .orderBy(asc(referrals.heldAt));
}

/**
 * A page of the friends a member invited, newest first, with the member's referral sums on every row (and on one row
 * without a friend where there is none). The index is NULLS LAST, and PostgreSQL uses it only when asked for that.
 */
export const findReferrals = prepared((db) => {
  const inviterId = sql.placeholder("userId");
  return db
    .select({
      invited: sql`invited`.mapWith(Number),
      successful: sql`successful`.mapWith(Number),
      totalPoints: sql`total_points`.mapWith(Number),
      id: sql<string | null>`id`,
      invitedPoints: sql`invited_points`.mapWith(Number),
      invitedAt: sql`invited_at`.mapWith(referrals.invitedAt),
      claimedAt: sql<string | null>`claimed_at`,
      inviteeEmail: sql<string>`email`,
      inviteeUsername: sql<string | null>`username`,
      inviteeHeartbeats: sql`heartbeats`.mapWith(Number),
      walletConnected: sql<boolean>`wallet_connected`,
      isHeld: sql<boolean>`is_held`,
    })
    .from(sql`(
      select coalesce(sums.invited, 0) as invited, coalesce(sums.successful, 0) as successful,
        coalesce(sums.points, 0) as total_points, friend.*
      from (select) as page
      left join ${referralTotals} as sums on sums.user_id = ${inviterId}
      left join lateral (
        select referral.id, referral.invited_points, referral.invited_at, referral.claimed_at, invitee.email,
          referral.held_at is not null and referral.reviewed_at is null as is_held,
          invitee.username, invitee.wallet is not null as wallet_connected, coalesce(beats.heartbeats, 0) as heartbeats
        from ${referrals} as referral
        join ${users} as invitee on invitee.id = referral.invitee_id
        left join ${heartbeatTotals} as beats on beats.user_id = referral.invitee_id
        where referral.inviter_id = ${inviterId} and referral.review is distinct from 'refused'
        order by referral.invited_at desc nulls last, referral.id desc nulls last
        limit ${sql.placeholder("limit")} offset ${sql.placeholder("offset")}
      ) as friend on true
      order by friend.invited_at desc nulls last, friend.id desc nulls last
    ) as page`)
    .prepare("find_referrals");
});
