import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Cursor } from "../administration/paging.ts";
import type { Db, Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { campaigns, campaignSubmissions, users } from "../db/schema.ts";

export type CampaignRow = typeof campaigns.$inferSelect;
export type NewCampaignRow = typeof campaigns.$inferInsert;

export async function upsertCampaigns(tx: Tx, list: NewCampaignRow[]): Promise<void> {
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
        startsAt: sql`excluded.starts_at`,
        endsAt: sql`excluded.ends_at`,
      },
    });
}

/** Returns undefined if the id is taken. */
export async function insertCampaign(tx: Tx, campaign: NewCampaignRow): Promise<CampaignRow | undefined> {
  const [made] = await tx.insert(campaigns).values(campaign).onConflictDoNothing().returning();
  return made;
}

export async function findCampaign(tx: Db | Tx, id: string): Promise<CampaignRow | undefined> {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id));
  return campaign;
}

/** Returns the campaign, locked against changes until the transaction ends. */
export async function lockCampaign(tx: Tx, id: string): Promise<CampaignRow | undefined> {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for("no key update");
  return campaign;
}

/** Returns campaigns by id, and locks their times until the transaction ends. */
export function lockCampaigns(tx: Tx, ids: string[]): Promise<CampaignRow[]> {
  return tx.select().from(campaigns).where(inArray(campaigns.id, ids)).orderBy(asc(campaigns.id)).for("share");
}

export async function updateCampaign(tx: Tx, { id, ...values }: CampaignRow): Promise<void> {
  await tx.update(campaigns).set(values).where(eq(campaigns.id, id));
}

type Page = { after?: string | undefined; limit?: number | undefined };

/** Returns all campaigns or a page of them, by task number. */
export function findCampaigns(db: Db, { after, limit }: Page): Promise<CampaignRow[]> {
  const last = alias(campaigns, "last");
  const placeOf = (id: string) =>
    db.select({ taskNumber: last.taskNumber, id: last.id }).from(last).where(eq(last.id, id));
  const asked = db
    .select()
    .from(campaigns)
    .where(after === undefined ? undefined : sql`(${campaigns.taskNumber}, ${campaigns.id}) > ${placeOf(after)}`)
    .orderBy(asc(campaigns.taskNumber), asc(campaigns.id));
  return limit === undefined ? asked : asked.limit(limit);
}

type CompletionsPage = { campaignId: string; after: Cursor | undefined; limit: number };

/** Returns who has completed a campaign, latest first. Reads only as many rows as it returns. */
export function findCompletions(db: Db, { campaignId, after, limit }: CompletionsPage) {
  const place = sql`(${campaignSubmissions.completedAt}, ${campaignSubmissions.userId})`;
  return db
    .select({
      id: campaignSubmissions.userId,
      email: emailOf(users),
      completedAt: campaignSubmissions.completedAt,
      claimedAt: campaignSubmissions.claimedAt,
    })
    .from(campaignSubmissions)
    .innerJoin(users, eq(users.id, campaignSubmissions.userId))
    .where(
      and(
        eq(campaignSubmissions.campaignId, campaignId),
        after && sql`${place} < (${after.at}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(campaignSubmissions.completedAt), desc(campaignSubmissions.userId))
    .limit(limit);
}

/** Counts how many members have completed and claimed a campaign, up to `most`, with one index scan each. */
export async function countCompletions(db: Db, campaignId: string, most: number) {
  const { rows } = await db.execute<{ completed: number; claimed: number }>(sql`
    select
      (select count(*)::integer from (
        select from ${campaignSubmissions} where campaign_id = ${campaignId} limit ${most}
      ) as counted) as completed,
      (select count(*)::integer from (
        select from ${campaignSubmissions} where campaign_id = ${campaignId} and claimed_at is not null limit ${most}
      ) as counted) as claimed`);
  return rows[0] ?? { completed: 0, claimed: 0 };
}

export type SubmissionRow = { userId: string; campaignId: string; completedAt: Date };

/** Adds the rows that are new, and returns just those: the unique key decides. */
export async function insertSubmissions(tx: Tx, list: SubmissionRow[]) {
  if (list.length === 0) return [];
  // In key order, so that two batches wait for each other instead of deadlocking.
  const inOrder = list.toSorted((a, b) => compare(a.userId, b.userId) || compare(a.campaignId, b.campaignId));
  return tx.insert(campaignSubmissions).values(inOrder).onConflictDoNothing().returning();
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Returns the given submissions that exist. */
export async function findSubmissions(tx: Tx, list: SubmissionRow[]) {
  if (list.length === 0) return [];
  const { userId, campaignId } = campaignSubmissions;
  const named = list.map((row) => sql`(${row.userId}::uuid, ${row.campaignId})`);
  return tx
    .select({ userId, campaignId })
    .from(campaignSubmissions)
    .where(sql`(${userId}, ${campaignId}) in (${sql.join(named, sql`, `)})`);
}

type Completed = Pick<SubmissionRow, "userId" | "campaignId">;

const isOf = ({ userId, campaignId }: Completed) =>
  and(eq(campaignSubmissions.userId, userId), eq(campaignSubmissions.campaignId, campaignId));

export const hasSubmission = async (tx: Tx, completed: Completed): Promise<boolean> =>
  (await tx.$count(campaignSubmissions, isOf(completed))) === 1;

/** Returns whether a member has completed a campaign, and not claimed it yet. */
export const canClaim = async (tx: Tx, completed: Completed): Promise<boolean> =>
  (await tx.$count(campaignSubmissions, and(isOf(completed), isNull(campaignSubmissions.claimedAt)))) === 1;
