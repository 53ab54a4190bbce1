import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { accountDeletions, heartbeatTotals, nodeDevices, pointsTotals, sessions, users } from "../../db/schema.ts";
import { SESSION_IDLE_SECONDS } from "../../sessions/contract.ts";

/** What an operator is told of a member: how the account stands, and nothing that the member alone should know. */
export async function findAccount(db: Db, { userId, now }: { userId: string; now: Date }) {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_SECONDS * 1000);
  const [account] = await db
    .select({
      id: users.id,
      email: users.email,
      createdAt: users.createdAt,
      onboardedAt: users.onboardedAt,
      blockedAt: users.blockedAt,
      isWhitelisted: users.isWhitelisted,
      wallet: users.wallet,
      deletionDueAt: accountDeletions.dueAt,
      points: sql`coalesce(${pointsTotals.connectivity} + ${pointsTotals.referral} + ${pointsTotals.rewards}
        + ${pointsTotals.others}, 0)`.mapWith(Number),
      heartbeats: sql`coalesce(${heartbeatTotals.heartbeats}, 0)`.mapWith(Number),
      sessions: db.$count(
        sessions,
        and(
          eq(sessions.userId, users.id),
          isNull(sessions.revokedAt),
          gt(sessions.expiresAt, now),
          gt(sessions.lastSeenAt, idleSince),
        ),
      ),
      machines: db.$count(nodeDevices, and(eq(nodeDevices.userId, users.id), isNull(nodeDevices.revokedAt))),
    })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .leftJoin(pointsTotals, eq(pointsTotals.userId, users.id))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, users.id))
    .where(eq(users.id, userId));
  return account;
}
