import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Cursor } from "../administration/paging.ts";
import type { Db } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import {
  accountDeletions,
  administrators,
  chainJobs,
  heartbeatTotals,
  nodeDevices,
  pointsLedger,
  pointsTotals,
  referrals,
  referralTotals,
  users,
} from "../db/schema.ts";
import { IS_LISTED } from "../points/ledger/listed.queries.ts";
import { ALL_POINTS, MEMBER_SUMS } from "../points/queries.ts";

const select = (db: Db) =>
  db
    .select({
      id: users.id,
      email: users.email,
      emailKey: users.emailKey,
      createdAt: users.createdAt,
      isWhitelisted: users.isWhitelisted,
      blockedAt: users.blockedAt,
      deletionDueAt: accountDeletions.dueAt,
      points: ALL_POINTS,
    })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .leftJoin(pointsTotals, eq(pointsTotals.userId, users.id));

export type Found = Awaited<ReturnType<typeof listLatest>>[number];

/** Returns the latest members first: ids are in order of time. */
export const listLatest = (db: Db, { after, limit }: { after: string | undefined; limit: number }) =>
  select(db)
    .where(and(isNull(users.deletedAt), after === undefined ? undefined : lt(users.id, after)))
    .orderBy(desc(users.id))
    .limit(limit);

export type Named = { id: string } | { wallet: string } | { code: string };

/** Finds the member with this id, wallet (in lower case) or referral code. */
export function findNamed(db: Db, named: Named) {
  const isNamed =
    "id" in named
      ? eq(users.id, named.id)
      : "wallet" in named
        ? eq(sql`lower(${users.wallet})`, named.wallet)
        : eq(users.personalCode, named.code);
  return select(db).where(and(isNamed, isNull(users.deletedAt)));
}

type Prefix = { prefix: string; after: string | undefined; limit: number };

/** Sorts after everything that begins with a prefix: no character is higher. */
const END = String.fromCodePoint(0x10ffff);

/** Returns members whose address begins with the prefix, compared byte by byte, which is the order of the index. */
export const findByPrefix = (db: Db, { prefix, after, limit }: Prefix) =>
  select(db)
    .where(
      and(
        sql`${users.emailKey} ~>=~ ${prefix} and ${users.emailKey} ~<~ ${prefix + END}`,
        after === undefined ? undefined : sql`${users.emailKey} ~>~ ${after}`,
        isNull(users.deletedAt),
      ),
    )
    .orderBy(sql`${users.emailKey} using ~<~`)
    .limit(limit);

/** Returns a member's account with all its sums; undefined if there is no such member or the account is deleted. */
export async function findAccount(db: Db, userId: string) {
  const inviter = alias(users, "inviter");
  const [account] = await db
    .select({
      id: users.id,
      email: users.email,
      createdAt: users.createdAt,
      onboardedAt: users.onboardedAt,
      blockedAt: users.blockedAt,
      isWhitelisted: users.isWhitelisted,
      personalCode: users.personalCode,
      wallet: users.wallet,
      invitedBy: users.invitedBy,
      inviterEmail: emailOf(inviter),
      invitationId: referrals.id,
      invitationHeldAt: referrals.heldAt,
      invitationReview: referrals.review,
      deletionDueAt: accountDeletions.dueAt,
      administratorSince: administrators.since,
      ...MEMBER_SUMS,
    })
    .from(users)
    .leftJoin(inviter, eq(inviter.id, users.invitedBy))
    .leftJoin(referrals, eq(referrals.inviteeId, users.id))
    .leftJoin(administrators, eq(administrators.userId, users.id))
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .leftJoin(pointsTotals, eq(pointsTotals.userId, users.id))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, users.id))
    .leftJoin(referralTotals, eq(referralTotals.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  return account;
}

/** A member has keys for at most 100 machines, and it is enough to show as many revoked ones. */
const MOST_MACHINES = 200;

/** Returns a member's machines, those with a working key first. */
export const findMachines = (db: Db, userId: string) =>
  db
    .select({
      id: nodeDevices.id,
      name: nodeDevices.name,
      createdAt: nodeDevices.createdAt,
      revokedAt: nodeDevices.revokedAt,
    })
    .from(nodeDevices)
    .where(eq(nodeDevices.userId, userId))
    .orderBy(sql`${nodeDevices.revokedAt} is not null`, desc(nodeDevices.createdAt), desc(nodeDevices.id))
    .limit(MOST_MACHINES);

/** Returns the latest job of each kind, and its state. */
export const findChainJobs = (db: Db, userId: string) =>
  db
    .selectDistinctOn([chainJobs.kind], { kind: chainJobs.kind, id: chainJobs.id, state: chainJobs.state })
    .from(chainJobs)
    .where(eq(chainJobs.userId, userId))
    .orderBy(chainJobs.kind, desc(chainJobs.createdAt));

/** Returns a page of a member's ledger by its index, latest first: the entries that the member finds in their log. */
export const findEntries = (db: Db, asked: { userId: string; after: Cursor | undefined; limit: number }) =>
  db
    .select({
      id: pointsLedger.id,
      category: pointsLedger.category,
      points: sql`${pointsLedger.points}`.mapWith(Number),
      comment: pointsLedger.comment,
      rule: pointsLedger.rule,
      occurredAt: pointsLedger.occurredAt,
    })
    .from(pointsLedger)
    .where(
      and(
        eq(pointsLedger.userId, asked.userId),
        IS_LISTED,
        asked.after &&
          sql`(${pointsLedger.occurredAt}, ${pointsLedger.id}) < (${asked.after.at}::timestamptz, ${asked.after.id}::uuid)`,
      ),
    )
    .orderBy(sql`${pointsLedger.occurredAt} desc nulls last`, sql`${pointsLedger.id} desc nulls last`)
    .limit(asked.limit);
