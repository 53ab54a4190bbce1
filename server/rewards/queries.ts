import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { campaigns, campaignSubmissions } from "../db/schema.ts";

export type Campaign = typeof campaigns.$inferSelect;

export async function upsertCampaigns(tx: Tx, list: Campaign[]): Promise<void> {
  await tx
    .insert(campaigns)
    .values(list)
    .onConflictDoUpdate({
      target: campaigns.id,
      set: {
        name: sql`excluded.name`,
        type: sql`excluded.type`,
        formUrl: sql`excluded.form_url`,
        bonusPoints: sql`excluded.bonus_points`,
        mandatory: sql`excluded.mandatory`,
        buttonText: sql`excluded.button_text`,
        taskNumber: sql`excluded.task_number`,
      },
    });
}

export async function findCampaign(tx: Tx, id: string): Promise<Campaign | undefined> {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id));
  return campaign;
}

const isOf = (userId: string, campaignId: string) =>
  and(eq(campaignSubmissions.userId, userId), eq(campaignSubmissions.campaignId, campaignId));

/** False when the campaign was completed before. */
export async function insertSubmission(tx: Tx, submission: typeof campaignSubmissions.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(campaignSubmissions).values(submission).onConflictDoNothing();
  return rowCount === 1;
}

export async function hasSubmission(tx: Tx, { userId, campaignId }: Omit<Claim, "at">): Promise<boolean> {
  return (await tx.$count(campaignSubmissions, isOf(userId, campaignId))) === 1;
}

type Claim = { userId: string; campaignId: string; at: Date };

/** True for the one claim that is the first, however many arrive at once. */
export async function markClaimed(tx: Tx, { userId, campaignId, at }: Claim): Promise<boolean> {
  const { rowCount } = await tx
    .update(campaignSubmissions)
    .set({ claimedAt: at })
    .where(and(isOf(userId, campaignId), isNull(campaignSubmissions.claimedAt)));
  return rowCount === 1;
}

/** Every campaign in the order of its task number, with what the member has done for it. */
export const findSubmissions = prepared((db) =>
  db
    .select({
      campaign: campaigns,
      completed: sql<boolean>`${isNotNull(campaignSubmissions.completedAt)}`,
      claimed: sql<boolean>`${isNotNull(campaignSubmissions.claimedAt)}`,
    })
    .from(campaigns)
    .leftJoin(
      campaignSubmissions,
      and(eq(campaignSubmissions.campaignId, campaigns.id), eq(campaignSubmissions.userId, sql.placeholder("userId"))),
    )
    .orderBy(asc(campaigns.taskNumber), asc(campaigns.id))
    .prepare("find_submissions"),
);
