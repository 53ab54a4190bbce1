import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
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

/** What decides whether a referral can be claimed, as it is now. */
export async function findReferral(tx: Tx, { inviterId, id }: { inviterId: string; id: string }) {
  const [referral] = await tx
    .select({
      claimedAt: referrals.claimedAt,
      invitedPoints: referrals.invitedPoints,
      inviteeEmail: users.email,
      inviteeHeartbeats: sql`coalesce(${heartbeatTotals.heartbeats}, 0)`.mapWith(Number),
      walletConnected: sql<boolean>`${users.wallet} is not null`,
    })
    .from(referrals)
    .innerJoin(users, eq(users.id, referrals.inviteeId))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, referrals.inviteeId))
    .where(and(eq(referrals.inviterId, inviterId), eq(referrals.id, id)));
  return referral;
}

/** True for the one claim that is the first, however many arrive at once. */
export async function markClaimed(tx: Tx, claim: { inviterId: string; id: string; at: Date }): Promise<boolean> {
  const marked = await tx
    .update(referrals)
    .set({ claimedAt: claim.at })
    .where(and(eq(referrals.inviterId, claim.inviterId), eq(referrals.id, claim.id), isNull(referrals.claimedAt)))
    .returning({ id: referrals.id });
  return marked.length === 1;
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
    })
    .from(sql`(
      select coalesce(sums.invited, 0) as invited, coalesce(sums.successful, 0) as successful,
        coalesce(sums.points, 0) as total_points, friend.*
      from (select) as page
      left join ${referralTotals} as sums on sums.user_id = ${inviterId}
      left join lateral (
        select referral.id, referral.invited_points, referral.invited_at, referral.claimed_at, invitee.email,
          invitee.username, invitee.wallet is not null as wallet_connected, coalesce(beats.heartbeats, 0) as heartbeats
        from ${referrals} as referral
        join ${users} as invitee on invitee.id = referral.invitee_id
        left join ${heartbeatTotals} as beats on beats.user_id = referral.invitee_id
        where referral.inviter_id = ${inviterId}
        order by referral.invited_at desc nulls last, referral.id desc nulls last
        limit ${sql.placeholder("limit")} offset ${sql.placeholder("offset")}
      ) as friend on true
      order by friend.invited_at desc nulls last, friend.id desc nulls last
    ) as page`)
    .prepare("find_referrals");
});
