import { and, asc, eq, gt, inArray, isNull, ne } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { backgroundJobs, users } from "../db/schema.ts";
import { emailKey } from "../mail/email-key.ts";
import { MAIL } from "../mail/outbox.queries.ts";
import type { Owner } from "./holdings.ts";

/** Finds emails by the hashes of their recipients. */
export const findByRecipient = (db: Db | Tx, recipients: Buffer[]) =>
  db.select().from(backgroundJobs).where(inArray(backgroundJobs.recipient, recipients));

/** How many emails are read at once. */
export const UNADDRESSED_AT_ONCE = 100;

/** Finds the next emails that were queued before recipients were hashed. */
export const findUnaddressed = (db: Db | Tx, after: string) =>
  db
    .select()
    .from(backgroundJobs)
    .where(and(eq(backgroundJobs.kind, MAIL), isNull(backgroundJobs.recipient), gt(backgroundJobs.key, after)))
    .orderBy(asc(backgroundJobs.key))
    .limit(UNADDRESSED_AT_ONCE);

/**
 * Returns the addresses that belong to a member: the one they sign in with and the one for campaign mail. An address
 * that they have only entered may be anybody's, so what waits for it is not theirs to see or to delete; a code mailed
 * to it expires. The same holds for a campaign address with which another member signs in.
 */
export async function findAddresses(db: Db | Tx, { email, userId }: Owner): Promise<Set<string>> {
  const [found] = await db.select({ campaign: users.campaignEmail }).from(users).where(eq(users.id, userId));
  const campaign = found?.campaign && emailKey(found.campaign);
  const isOthers = campaign && (await db.$count(users, and(eq(users.emailKey, campaign), ne(users.id, userId)))) > 0;
  return new Set(campaign && !isOthers ? [email, campaign] : [email]);
}
