import { uuidv7 } from "uuidv7";
import { announce } from "../announcements/announce.queries.ts";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { oncePerPage } from "../http/call-scope.ts";
import { AlreadyClaimed, countClaim } from "../points/count-claim.ts";
import { postPoints } from "../points/service.ts";
import { readUser } from "../profile/service.ts";
import { screenInvitation } from "./screening.ts";
import { addToTotals, findInviteeEmail, findReferral, findReferrals, insertReferral, markClaimed } from "./queries.ts";
import {
  REFERRAL_POINTS,
  type PendingReason,
  type ReferralCampaign,
  type Referrals,
  type ReferralsCombined,
  type ReferralsQuery,
  type ReferralStatus,
} from "./contract.ts";
import { CLAIMED_RULE, JOINED_RULE } from "./earning.ts";
import { HEARTBEATS_REQUIRED } from "../heartbeats/contract.ts";

export type Joining = {
  inviterId: string;
  inviteeId: string;
  /** The device hash of the browser that the friend joined with. */
  deviceHash?: Buffer | undefined;
  /** Hashes of the friend's mailbox, as deleted accounts leave them behind. */
  mailboxHashes?: readonly Buffer[];
  at: Date;
};

/**
 * Records who invited a member, and pays the member their extra points. Holds the invitation unpaid if it looks as if
 * somebody invited themselves. A member is invited once: later calls change nothing and return undefined. Throws
 * VALIDATION_ERROR if inviter and invitee are the same account.
 */
export async function recordReferral(
  tx: Tx,
  { inviterId, inviteeId, deviceHash, mailboxHashes = [], at }: Joining,
): Promise<string | undefined> {
  if (inviterId === inviteeId) throw new AppError("VALIDATION_ERROR", "You cannot invite yourself.");
  const id = uuidv7();
  const heldReason = await screenInvitation(tx, { inviterId, inviteeId, deviceHash, mailboxHashes });
  const referral = { inviterId, id, inviteeId, invitedPoints: REFERRAL_POINTS, invitedAt: at };
  if (!(await insertReferral(tx, { ...referral, ...(heldReason && { heldReason, heldAt: at }) }))) return undefined;
  if (!heldReason) await payInvitee(tx, { id, inviteeId, at });
  await addToTotals(tx, { userId: inviterId, invited: 1, successful: 0, points: 0 });
  return id;
}

/** Pays a friend the points for joining, once. */
export async function payInvitee(tx: Tx, { id, inviteeId, at }: { id: string; inviteeId: string; at: Date }) {
  await postPoints(tx, [
    {
      userId: inviteeId,
      rule: JOINED_RULE,
      sourceId: id,
      points: REFERRAL_POINTS,
      comment: "Joined with a friend's link",
      occurredAt: at,
    },
  ]);
}

/**
 * Pays the inviter the points for a friend, once. Returns how many. Throws NOT_FOUND if the referral is not theirs, and
 * CONFLICT if it is pending or already claimed.
 */
export async function claimReferral(
  tx: Tx,
  { inviterId, id, at }: { inviterId: string; id: string; at: Date },
): Promise<number> {
  const referral = await findReferral(tx, { inviterId, id });
  if (!referral) throw new AppError("NOT_FOUND", "There is no such referral.");
  if (referral.isHeld) throw new AppError("CONFLICT", "This invitation is being reviewed.");
  if (referral.status === "Pending") {
    throw new AppError("CONFLICT", `Your friend needs ${HEARTBEATS_REQUIRED} heartbeats and a linked wallet first.`);
  }
  if (!(await markClaimed(tx, { inviterId, id, at }))) {
    throw new AlreadyClaimed("You have already claimed the points for this friend.");
  }
  const points = referral.invitedPoints;
  const email = await findInviteeEmail(tx, referral.inviteeId);
  await postPoints(tx, [
    {
      userId: inviterId,
      rule: CLAIMED_RULE,
      sourceId: id,
      points,
      comment: `${email ?? "Anonymous"} reached ${HEARTBEATS_REQUIRED} heartbeats`,
      occurredAt: at,
    },
  ]);
  await addToTotals(tx, { userId: inviterId, invited: 0, successful: 1, points });
  return points;
}

/** Claims the points for a friend in its own transaction. Throws the same errors as `claimReferral`. */
export async function claim(deps: Pick<Deps, "db" | "metrics" | "now">, inviterId: string, { id }: { id: string }) {
  // In lower case, as the database writes it: the ledger stores the id as text, and uses it to find and anonymise the
  // entry of a friend who leaves.
  const friend = { inviterId, id: id.toLowerCase(), at: deps.now() };
  await countClaim(deps, () =>
    inTransaction(deps.db, async (tx) => {
      const points = await claimReferral(tx, friend);
      const data = { memberId: inviterId, referralId: friend.id, points };
      await announce(tx, { type: "referral.claimed", subject: friend.id, at: friend.at, data });
    }),
  );
  return { success: true, message: "The points are yours." };
}

/**
 * Returns a page of the friends a member invited, of all or of one status, claimable ones first, with the member's
 * sums.
 */
export async function readReferrals(
  { db }: Pick<Deps, "db">,
  userId: string,
  { limit, page, status }: ReferralsQuery,
): Promise<Referrals> {
  const { sums, friends } = await findPage(db, { userId, limit, offset: (page - 1) * limit, status: status ?? null });
  const { invited, successful, totalPoints, total } = sums;
  return {
    success: true,
    referrals: friends.flatMap(toReferral),
    stats: {
      totalReferralPoints: totalPoints,
      successfulReferralsAmount: successful,
      pendingReferralsAmount: invited - successful,
    },
    pagination: { limit, page, total, totalPages: Math.ceil(total / limit) },
  };
}

/**
 * How many friends to read for the first pages of any size: one query serves all the page sizes that the product shows.
 */
const FIRST_FRIENDS = 25;

type Slice = { userId: string; limit: number; offset: number; status: ReferralStatus | null };

async function findPage(db: Deps["db"], { userId, limit, offset, status }: Slice) {
  const isAmongFirst = offset + limit <= FIRST_FRIENDS;
  const find = findReferrals(status)(db);
  const rows = isAmongFirst
    ? await oncePerPage(`friends ${userId} ${status}`, () => find.execute({ userId, limit: FIRST_FRIENDS, offset: 0 }))
    : await find.execute({ userId, limit, offset });
  // If there are no friends, one row without a friend carries the sums.
  const sums = rows[0] ?? { invited: 0, successful: 0, totalPoints: 0, total: 0 };
  return { sums, friends: isAmongFirst ? rows.slice(offset, offset + limit) : rows };
}

/** Returns the same page of all friends, and of those with one status. */
export async function readReferralsCombined(
  deps: Pick<Deps, "db">,
  userId: string,
  query: ReferralsQuery,
): Promise<ReferralsCombined> {
  const { limit, page } = query;
  const [unfiltered, filtered] = await Promise.all([
    readReferrals(deps, userId, { limit, page }),
    readReferrals(deps, userId, query),
  ]);
  return { unfiltered, filtered };
}

/**
 * Returns what a friend is worth, the member's code for them, and their sums. Throws NOT_FOUND if there is no such
 * member.
 */
export async function readReferralCampaign(deps: Pick<Deps, "db">, userId: string): Promise<ReferralCampaign> {
  const [user, { stats }] = await Promise.all([
    readUser(deps, userId),
    readReferrals(deps, userId, { limit: 1, page: 1 }),
  ]);
  return {
    personalCode: user.personal_code,
    referralPoints: REFERRAL_POINTS,
    heartbeatsRequired: HEARTBEATS_REQUIRED,
    stats,
  };
}

type Row = Awaited<ReturnType<ReturnType<ReturnType<typeof findReferrals>>["execute"]>>[number];

function toReferral(row: Row): Referrals["referrals"] {
  const { id, status } = row;
  if (!id) return [];
  return [
    {
      id,
      invitedPoints: row.invitedPoints,
      inviteeEmail: row.inviteeEmail,
      inviteeHeartbeats: row.inviteeHeartbeats,
      inviteeUsername: row.inviteeUsername,
      walletConnected: row.walletConnected,
      invitedAt: row.invitedAt.toISOString(),
      status,
      canClaim: status === "Claimable",
      pendingReasons: status === "Pending" ? listReasons(row) : [],
    },
  ];
}

/** Returns what a pending referral waits for. It waits in vain if the friend has left before doing their part. */
function listReasons({ hasLeft, inviteeHeartbeats, isHeld, walletConnected }: Row): PendingReason[] {
  const missing = [
    ...(inviteeHeartbeats < HEARTBEATS_REQUIRED ? (["heartbeats"] as const) : []),
    ...(walletConnected ? [] : (["wallet"] as const)),
  ];
  return [
    ...(hasLeft && missing.length > 0 ? (["left"] as const) : []),
    ...(isHeld ? (["review"] as const) : []),
    ...missing,
  ];
}
