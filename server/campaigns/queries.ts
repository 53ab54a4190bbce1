import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { campaigns, campaignSubmissions } from "../db/schema.ts";

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

/** Undefined where the id is taken. */
export async function insertCampaign(tx: Tx, campaign: NewCampaignRow): Promise<CampaignRow | undefined> {
  const [made] = await tx.insert(campaigns).values(campaign).onConflictDoNothing().returning();
  return made;
}

export async function findCampaign(tx: Tx, id: string): Promise<CampaignRow | undefined> {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id));
  return campaign;
}

/** The campaign, which nobody else changes until the transaction ends. */
export async function lockCampaign(tx: Tx, id: string): Promise<CampaignRow | undefined> {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for("no key update");
  return campaign;
}

/** Campaigns by id, whose times stay as they are until the transaction ends. */
export function holdCampaigns(tx: Tx, ids: string[]): Promise<CampaignRow[]> {
  return tx.select().from(campaigns).where(inArray(campaigns.id, ids)).orderBy(asc(campaigns.id)).for("share");
}

export async function updateCampaign(tx: Tx, { id, ...values }: CampaignRow): Promise<void> {
  await tx.update(campaigns).set(values).where(eq(campaigns.id, id));
}

export const findCampaigns = (db: Db) =>
  db.select().from(campaigns).orderBy(asc(campaigns.taskNumber), asc(campaigns.id));

export type SubmissionRow = { userId: string; campaignId: string; completedAt: Date };

/** Adds what was not there before, and returns just that: the unique key decides. */
export async function insertSubmissions(tx: Tx, list: SubmissionRow[]) {
  if (list.length === 0) return [];
  // In the order of the keys, so that two batches wait for each other instead of dead-locking.
  const inOrder = list.toSorted((a, b) => compare(a.userId, b.userId) || compare(a.campaignId, b.campaignId));
  return tx.insert(campaignSubmissions).values(inOrder).onConflictDoNothing().returning();
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

export async function hasSubmission(tx: Tx, { userId, campaignId }: { userId: string; campaignId: string }) {
  const isOf = and(eq(campaignSubmissions.userId, userId), eq(campaignSubmissions.campaignId, campaignId));
  return (await tx.$count(campaignSubmissions, isOf)) === 1;
}
