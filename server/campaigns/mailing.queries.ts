import { eq } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { backgroundJobs, campaignMailings } from "../db/schema.ts";
import { dueAtOnce } from "../jobs/queries.ts";
import { findRequestId } from "../log/current-request.ts";

/** The job kind for emailing members about a campaign. The key is the campaign's id. */
export const EMAIL_CAMPAIGN = "email-campaign";

export type Mailing = typeof campaignMailings.$inferSelect;

/** Makes members be emailed once the campaign starts. */
export async function insertMailing(tx: Tx, campaignId: string, now: Date): Promise<void> {
  await tx.insert(campaignMailings).values({ campaignId });
  await queueMailing(tx, campaignId, now);
}

/**
 * Queues the job that emails the members who have not been emailed yet, if there may be any. It waits for the start of
 * the campaign. A job that is waiting or running looks again, because it does not know the campaign's new times.
 */
export async function queueMailing(tx: Tx, campaignId: string, now: Date): Promise<void> {
  const mailing = await findMailing(tx, campaignId);
  if (!mailing || mailing.finishedAt) return;
  const due = { dueAt: dueAtOnce(now), requestId: findRequestId(), attempts: 0, lease: null, deadAt: null };
  await tx
    .insert(backgroundJobs)
    .values({ kind: EMAIL_CAMPAIGN, key: campaignId, ...due })
    .onConflictDoUpdate({ target: [backgroundJobs.kind, backgroundJobs.key], set: due });
}

export async function findMailing(db: Db | Tx, campaignId: string): Promise<Mailing | undefined> {
  const [mailing] = await db.select().from(campaignMailings).where(eq(campaignMailings.campaignId, campaignId));
  return mailing;
}
