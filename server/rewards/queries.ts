import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { campaigns, campaignSubmissions, pointsLedger } from "../db/schema.ts";
import { CAMPAIGN_RULE } from "./earning.ts";

const isOf = (userId: string, campaignId: string) =>
  and(eq(campaignSubmissions.userId, userId), eq(campaignSubmissions.campaignId, campaignId));

export type Claim = { userId: string; campaignId: string; at: Date };

/** Returns true only for the first claim, however many arrive at once. */
export async function markClaimed(tx: Tx, { userId, campaignId, at }: Claim): Promise<boolean> {
  const { rowCount } = await tx
    .update(campaignSubmissions)
    .set({ claimedAt: at })
    .where(and(isOf(userId, campaignId), isNull(campaignSubmissions.claimedAt)));
  return rowCount === 1;
}

/**
 * Returns the running campaigns, and those the member completed while they ran, ordered by task number. Each comes with
 * the member's progress, and the points paid if they have claimed it.
 */
export const findSubmissions = prepared((db) =>
  db
    .select({
      campaign: campaigns,
      completed: sql<boolean>`${isNotNull(campaignSubmissions.completedAt)}`,
      claimed: sql<boolean>`${isNotNull(campaignSubmissions.claimedAt)}`,
      paid: pointsLedger.points,
    })
    .from(campaigns)
    .leftJoin(
      campaignSubmissions,
      and(eq(campaignSubmissions.campaignId, campaigns.id), eq(campaignSubmissions.userId, sql.placeholder("userId"))),
    )
    .leftJoin(
      pointsLedger,
      and(
        eq(pointsLedger.userId, campaignSubmissions.userId),
        eq(pointsLedger.source, CAMPAIGN_RULE.source),
        eq(pointsLedger.sourceId, campaigns.id),
      ),
    )
    .where(
      or(
        isNotNull(campaignSubmissions.userId),
        and(
          or(isNull(campaigns.startsAt), lte(campaigns.startsAt, sql.placeholder("now"))),
          or(isNull(campaigns.endsAt), gt(campaigns.endsAt, sql.placeholder("now"))),
        ),
      ),
    )
    .orderBy(asc(campaigns.taskNumber), asc(campaigns.id))
    .prepare("find_submissions"),
);
