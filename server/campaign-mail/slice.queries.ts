import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Mailing } from "../campaigns/mailing.queries.ts";
import type { Tx } from "../db/client.ts";
import { accountDeletions, backgroundJobs, campaignMailings, campaigns, users } from "../db/schema.ts";
import { MAIL } from "../mail/outbox.queries.ts";

/**
 * Returns a campaign's mailing and its times, and locks them until the transaction ends. The campaign is locked first,
 * as a change of it does.
 */
export async function lockMailing(tx: Tx, campaignId: string) {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, campaignId)).for("share");
  const isOf = eq(campaignMailings.campaignId, campaignId);
  const [mailing] = await tx.select().from(campaignMailings).where(isOf).for("update");
  return campaign && mailing && { campaign, mailing };
}

type Slice = { after: string | null; limit: number };

/**
 * Finds the next members who get campaign emails, by id. Not those who are blocked or have asked for the deletion of
 * their account. A deleted account has these emails turned off.
 */
export const findNextMembers = (tx: Tx, { after, limit }: Slice) =>
  tx
    .select({ id: users.id, email: users.email, campaignEmail: users.campaignEmail })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .where(
      and(
        after === null ? undefined : gt(users.id, after),
        users.campaignMail,
        isNull(users.blockedAt),
        isNull(accountDeletions.userId),
      ),
    )
    .orderBy(asc(users.id))
    .limit(limit);

export async function saveProgress(tx: Tx, { campaignId, ...progress }: Mailing): Promise<void> {
  await tx.update(campaignMailings).set(progress).where(eq(campaignMailings.campaignId, campaignId));
}

/**
 * Counts the emails that are due to be sent, and those that wait at all: being sent, or for another attempt. Counts as
 * many as `most`.
 */
export async function countQueuedEmails(tx: Tx, { now, most }: { now: Date; most: number }) {
  const queued = tx
    .select({ dueAt: backgroundJobs.dueAt })
    .from(backgroundJobs)
    .where(and(eq(backgroundJobs.kind, MAIL), isNull(backgroundJobs.deadAt)))
    .orderBy(asc(backgroundJobs.dueAt))
    .limit(most)
    .as("queued");
  const [counted] = await tx
    .select({
      due: sql`count(*) filter (where ${queued.dueAt} <= ${now.toISOString()}::timestamptz)`.mapWith(Number),
      waiting: sql`count(*)`.mapWith(Number),
    })
    .from(queued);
  return counted ?? { due: 0, waiting: 0 };
}
