import { and, eq, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { prepared } from "../db/prepared.ts";
import { heartbeatTotals, referrals, referralTotals, users } from "../db/schema.ts";
import type { ReferralStatus } from "./contract.ts";
import { HEARTBEATS_REQUIRED } from "../heartbeats/contract.ts";

/** Returns false if anybody has invited this friend before: the unique key decides. */
export async function insertReferral(tx: Tx, referral: typeof referrals.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(referrals).values(referral).onConflictDoNothing();
  return rowCount === 1;
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

export const isWaiting = sql`${referrals.heldAt} is not null and ${referrals.reviewedAt} is null`;
const isNotRefused = sql`${referrals.review} is distinct from 'refused'`;
const inviteeHeartbeats = sql`coalesce(${heartbeatTotals.heartbeats}, 0)`;

/** A friend who has left no longer has a wallet, but may have had one when the referral was settled. */
const hasWallet = sql`(${users.wallet} is not null or ${referrals.settledAt} is not null)`;
const inviteeEmail = emailOf(users);

/** What the friend has to do: send enough heartbeats, and link a wallet. */
const isFulfilled = sql`${inviteeHeartbeats} >= ${sql.raw(String(HEARTBEATS_REQUIRED))} and ${hasWallet}`;

/** Claimable once the friend has done that and no review is pending; a success once claimed. */
const status = sql<ReferralStatus>`case
  when ${referrals.claimedAt} is not null then 'Success'
  when ${isFulfilled} and not (${isWaiting}) then 'Claimable'
  else 'Pending'
end`;

/** Returns what decides whether a referral can be claimed right now. */
export async function findReferral(tx: Tx, { inviterId, id }: { inviterId: string; id: string }) {
  const [referral] = await tx
    .select({
      status,
      inviteeId: referrals.inviteeId,
      invitedPoints: referrals.invitedPoints,
      isHeld: sql<boolean>`${isWaiting}`,
    })
    .from(referrals)
    .innerJoin(users, eq(users.id, referrals.inviteeId))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, referrals.inviteeId))
    .where(and(eq(referrals.inviterId, inviterId), eq(referrals.id, id), isNotRefused));
  return referral;
}

/** Returns true only for the first claim, however many arrive at once. */
export async function markClaimed(tx: Tx, claim: { inviterId: string; id: string; at: Date }): Promise<boolean> {
  const { rowCount } = await tx
    .update(referrals)
    .set({ claimedAt: claim.at })
    .where(
      and(
        eq(referrals.inviterId, claim.inviterId),
        eq(referrals.id, claim.id),
        isNull(referrals.claimedAt),
        or(isNull(referrals.heldAt), eq(referrals.review, "released")),
      ),
    );
  return rowCount === 1;
}

/**
 * Returns a friend's address. Call it after marking the claim: by then, a deletion of the friend is either over or
 * comes after the claim.
 */
export async function findInviteeEmail(tx: Tx, inviteeId: string): Promise<string | null> {
  const [invitee] = await tx.select({ email: inviteeEmail }).from(users).where(eq(users.id, inviteeId));
  return invitee?.email ?? null;
}

/**
 * Settles the referral of a member who leaves, if they have met its conditions: their inviter can still claim the
 * points, once any pending review has released it.
 */
export async function settleReferral(tx: Tx, { inviteeId, at }: { inviteeId: string; at: Date }): Promise<void> {
  const fulfilled = tx
    .select({ id: referrals.id })
    .from(referrals)
    .innerJoin(users, eq(users.id, referrals.inviteeId))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, referrals.inviteeId))
    .where(and(eq(referrals.inviteeId, inviteeId), isNull(referrals.claimedAt), isNotRefused, isFulfilled));
  await tx
    .update(referrals)
    .set({ settledAt: at })
    .where(and(eq(referrals.inviteeId, inviteeId), inArray(referrals.id, fulfilled)));
}

/**
 * Returns a page of the friends a member invited: claimable ones first, then the newest, of all or of one status. The
 * member's referral sums are on every row (and on one row without a friend if there is none).
 *
 * Only unclaimed friends are checked for being claimable; of all others only those on the page are read. Each status
 * has its own query text, so that PostgreSQL can use the index of the unclaimed ones.
 */
function buildFriends(wanted: ReferralStatus | "any") {
  const inviterId = sql.placeholder("userId");
  const [limit, offset] = [sql`${sql.placeholder("limit")}::integer`, sql`${sql.placeholder("offset")}::integer`];
  const claimable = sql`
    select ${referrals.id} as id, ${referrals.invitedAt} as invited_at from ${referrals}
    join ${heartbeatTotals} on ${heartbeatTotals.userId} = ${referrals.inviteeId}
    join ${users} on ${users.id} = ${referrals.inviteeId}
    where ${referrals.inviterId} = ${inviterId} and ${referrals.claimedAt} is null and ${isNotRefused}
      and not (${isWaiting}) and ${isFulfilled}`;
  const first = sql`
    (select id from claimable order by invited_at desc, id desc limit ${limit} offset ${offset})`;
  const claimables = sql`(select count(*) from claimable)`;
  const others = (isMeant: SQL, room: { limit: SQL; offset: SQL }) => sql`
    (select id from ${referrals} where inviter_id = ${inviterId} and ${isNotRefused} and ${isMeant}
    order by invited_at desc nulls last, id desc nulls last limit ${room.limit} offset ${room.offset})`;
  const isOther = sql`id not in (select id from claimable)`;
  const { total, places } = {
    any: {
      total: sql`sums.invited`,
      places: sql`${first} union all ${others(isOther, {
        limit: sql`greatest(${limit} - greatest(${claimables} - ${offset}, 0), 0)`,
        offset: sql`greatest(${offset} - ${claimables}, 0)`,
      })}`,
    },
    Claimable: { total: claimables, places: first },
    Pending: {
      total: sql`sums.invited - sums.successful - ${claimables}`,
      places: others(sql`claimed_at is null and ${isOther}`, { limit, offset }),
    },
    Success: { total: sql`sums.successful`, places: others(sql`claimed_at is not null`, { limit, offset }) },
  }[wanted];
  return prepared((db) =>
    db
      .select({
        invited: sql`invited`.mapWith(Number),
        successful: sql`successful`.mapWith(Number),
        totalPoints: sql`total_points`.mapWith(Number),
        total: sql`total`.mapWith(Number),
        id: sql<string | null>`id`,
        invitedPoints: sql`invited_points`.mapWith(Number),
        invitedAt: sql`invited_at`.mapWith(referrals.invitedAt),
        inviteeEmail: sql<string | null>`email`,
        inviteeUsername: sql<string | null>`username`,
        inviteeHeartbeats: sql`heartbeats`.mapWith(Number),
        walletConnected: sql<boolean>`wallet_connected`,
        isHeld: sql<boolean>`is_held`,
        hasLeft: sql<boolean>`has_left`,
        status: sql<ReferralStatus>`status`,
      })
      .from(sql`(
        with claimable as materialized (${claimable})
        select coalesce(sums.invited, 0) as invited, coalesce(sums.successful, 0) as successful,
          coalesce(sums.points, 0) as total_points, coalesce(${total}, 0) as total, friend.*
        from (select) as page
        left join ${referralTotals} as sums on sums.user_id = ${inviterId}
        left join lateral (
          select ${referrals.id} as id, ${referrals.invitedPoints} as invited_points,
            ${referrals.invitedAt} as invited_at, ${inviteeEmail} as email, ${users.username} as username,
            ${hasWallet} as wallet_connected, ${users.deletedAt} is not null as has_left,
            ${inviteeHeartbeats} as heartbeats, ${isWaiting} as is_held, ${status} as status
          from (${places}) as place
          join ${referrals} on ${referrals.inviterId} = ${inviterId} and ${referrals.id} = place.id
          join ${users} on ${users.id} = ${referrals.inviteeId}
          left join ${heartbeatTotals} on ${heartbeatTotals.userId} = ${referrals.inviteeId}
        ) as friend on true
        order by friend.status = 'Claimable' desc, friend.invited_at desc, friend.id desc
      ) as page`)
      .prepare(wanted === "any" ? "find_referrals" : `find_referrals_${wanted.toLowerCase()}`),
  );
}

const FRIENDS = {
  any: buildFriends("any"),
  Success: buildFriends("Success"),
  Pending: buildFriends("Pending"),
  Claimable: buildFriends("Claimable"),
};

/** Returns the query for a page of friends, of all or of one status. */
export const findReferrals = (status: ReferralStatus | null) => FRIENDS[status ?? "any"];
