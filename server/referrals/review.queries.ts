import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../db/client.ts";
import { heartbeatTotals, referrals, users } from "../db/schema.ts";
import { sumIn } from "../points/queries.ts";
import { isWaiting } from "./queries.ts";

type Decision = { id: string; at: Date; review: "released" | "refused" };

/**
 * Decides on a held invitation, once. Returns undefined if none is waiting. Locks the friend first, whom the payment
 * refers to, in the same order as the deletion of their account.
 */
export async function reviewHeld(tx: Tx, { id, at, review }: Decision) {
  const isIt = and(eq(referrals.id, id), isWaiting);
  const friend = tx.select({ inviteeId: referrals.inviteeId }).from(referrals).where(isIt);
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, friend)).for("key share");
  const [held] = await tx
    .update(referrals)
    .set({ review, reviewedAt: at })
    .where(isIt)
    .returning({ id: referrals.id, inviterId: referrals.inviterId, inviteeId: referrals.inviteeId });
  return held;
}

type Page = { after?: string | undefined; limit?: number | undefined };

/** Returns the invitations that wait for a decision, oldest first: ids are in order of time. */
export function findHeld(db: Db, { after, limit }: Page = {}) {
  const inviter = alias(users, "inviter");
  const asked = db
    .select({
      id: referrals.id,
      inviterId: referrals.inviterId,
      inviter: inviter.email,
      inviteeId: referrals.inviteeId,
      invitee: users.email,
      reason: referrals.heldReason,
      heldAt: referrals.heldAt,
    })
    .from(referrals)
    .innerJoin(inviter, eq(inviter.id, referrals.inviterId))
    .innerJoin(users, eq(users.id, referrals.inviteeId))
    .where(and(isWaiting, after === undefined ? undefined : gt(referrals.id, after)))
    .orderBy(asc(referrals.id));
  return limit === undefined ? asked : asked.limit(limit);
}

/** Returns one held invitation, with what helps to tell a friend from a second account. */
export async function findHeldDetail(db: Db, id: string) {
  const inviter = alias(users, "inviter");
  const [found] = await db
    .select({
      id: referrals.id,
      reason: referrals.heldReason,
      heldAt: referrals.heldAt,
      inviter: {
        id: inviter.id,
        email: inviter.email,
        joinedAt: inviter.createdAt,
        hasWallet: sql<boolean>`${inviter.wallet} is not null`,
      },
      invitee: {
        id: users.id,
        email: users.email,
        joinedAt: users.createdAt,
        hasWallet: sql<boolean>`${users.wallet} is not null`,
      },
      mailboxKey: users.mailboxKey,
      inviteeHeartbeats: sumIn(heartbeatTotals.heartbeats),
    })
    .from(referrals)
    .innerJoin(inviter, eq(inviter.id, referrals.inviterId))
    .innerJoin(users, eq(users.id, referrals.inviteeId))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, referrals.inviteeId))
    .where(and(eq(referrals.id, id), isWaiting));
  return found;
}

/** Returns other accounts with the mailbox, except deleted ones. */
export const findMailboxSharers = (
  db: Db,
  { mailboxKey, inviteeId, limit }: { mailboxKey: string; inviteeId: string; limit: number },
) =>
  db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.mailboxKey, mailboxKey), sql`${users.id} <> ${inviteeId}`))
    .orderBy(asc(users.id))
    .limit(limit);

/** Counts the friends a member invited, and how many of those wait for a decision or were refused: up to `limit`. */
export async function countReviews(db: Db, inviterId: string, limit: number) {
  const { rows } = await db.execute<{ invited: number; held: number; refused: number }>(sql`
    select count(*)::integer as invited,
      count(*) filter (where held_at is not null and reviewed_at is null)::integer as held,
      count(*) filter (where review = 'refused')::integer as refused
    from (
      select held_at, reviewed_at, review from ${referrals} where inviter_id = ${inviterId} limit ${limit}
    ) as friends`);
  return rows[0] ?? { invited: 0, held: 0, refused: 0 };
}
