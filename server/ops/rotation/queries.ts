import { and, asc, eq, gt, gte, isNotNull, isNull, lte, max, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import {
  backgroundJobs,
  campaignEmails,
  emailChanges,
  departedMailboxes,
  formerKeys,
  passwordResets,
  sessions,
  signUps,
  webhookEndpoints,
} from "../../db/schema.ts";
import { MAIL } from "../../mail/outbox.ts";
import type { FormerKey } from "../../secrets/credential.ts";

/** Rows that are looked at together. */
export const PAGE = 500;

export type Sealed = { id: string; sealed: Buffer | null };

/** What is sealed with the installation's secret, page by page in the order of its ids. */
export const PAGES = {
  letters: (db: Db, after: string): Promise<Sealed[]> =>
    db
      .select({ id: backgroundJobs.key, sealed: backgroundJobs.payload })
      .from(backgroundJobs)
      .where(and(eq(backgroundJobs.kind, MAIL), isNotNull(backgroundJobs.payload), gt(backgroundJobs.key, after)))
      .orderBy(asc(backgroundJobs.key))
      .limit(PAGE),
  sessions: (db: Db, after: string): Promise<Sealed[]> =>
    db
      .select({ id: sessions.id, sealed: sessions.providerSession })
      .from(sessions)
      .where(and(isNotNull(sessions.providerSession), gt(sql`${sessions.id}::text`, after)))
      .orderBy(asc(sql`${sessions.id}::text`))
      .limit(PAGE),
  recoveries: (db: Db, after: string): Promise<Sealed[]> =>
    db
      .select({ id: passwordResets.id, sealed: passwordResets.providerSession })
      .from(passwordResets)
      .where(and(isNotNull(passwordResets.providerSession), gt(sql`${passwordResets.id}::text`, after)))
      .orderBy(asc(sql`${passwordResets.id}::text`))
      .limit(PAGE),
  signUps: (db: Db, after: string): Promise<Sealed[]> =>
    db
      .select({ id: signUps.id, sealed: signUps.sealedPassword })
      .from(signUps)
      .where(and(isNotNull(signUps.sealedPassword), gt(sql`${signUps.id}::text`, after)))
      .orderBy(asc(sql`${signUps.id}::text`))
      .limit(PAGE),
  webhooks: (db: Db, after: string): Promise<Sealed[]> => findWebhooks(db, webhookEndpoints.secret, after),
  formerWebhooks: (db: Db, after: string): Promise<Sealed[]> =>
    findWebhooks(db, webhookEndpoints.previousSecret, after),
};

/** A webhook that was removed has no secret any more. */
const findWebhooks = (
  db: Db,
  secret: typeof webhookEndpoints.secret | typeof webhookEndpoints.previousSecret,
  after: string,
) =>
  db
    .select({ id: webhookEndpoints.id, sealed: secret })
    .from(webhookEndpoints)
    .where(and(isNull(webhookEndpoints.removedAt), isNotNull(secret), gt(sql`${webhookEndpoints.id}::text`, after)))
    .orderBy(asc(sql`${webhookEndpoints.id}::text`))
    .limit(PAGE);

export type Kind = keyof typeof PAGES;

type Renewed = { id: string; was: Buffer; sealed: Buffer };

/** Only where it is still what was read: what somebody else has written since is newer. */
export async function saveLetter(db: Db, { id, was, sealed, recipient }: Renewed & { recipient: Buffer }) {
  await db
    .update(backgroundJobs)
    .set({ payload: sealed, recipient })
    .where(and(eq(backgroundJobs.kind, MAIL), eq(backgroundJobs.key, id), eq(backgroundJobs.payload, was)));
}

export async function saveSession(db: Db, { id, was, sealed }: Renewed) {
  await db
    .update(sessions)
    .set({ providerSession: sealed })
    .where(and(eq(sessions.id, id), eq(sessions.providerSession, was)));
}

export async function saveRecovery(db: Db, { id, was, sealed }: Renewed) {
  await db
    .update(passwordResets)
    .set({ providerSession: sealed })
    .where(and(eq(passwordResets.id, id), eq(passwordResets.providerSession, was)));
}

export async function saveSignUp(db: Db, { id, was, sealed }: Renewed) {
  await db
    .update(signUps)
    .set({ sealedPassword: sealed })
    .where(and(eq(signUps.id, id), eq(signUps.sealedPassword, was)));
}

export async function saveWebhook(db: Db, { id, was, sealed }: Renewed) {
  await db
    .update(webhookEndpoints)
    .set({ secret: sealed })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.secret, was)));
}

export async function saveFormerWebhook(db: Db, { id, was, sealed }: Renewed) {
  await db
    .update(webhookEndpoints)
    .set({ previousSecret: sealed })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.previousSecret, was)));
}

export const findFormerKeys = (db: Db | Tx) => db.select().from(formerKeys);

type Keeping = { keptAt: Date; /** Whether it was in use until now. */ isNew: boolean };

/** Keeps a key once. One that is known keeps its time, unless it was in use until now. */
export async function keepFormerKey(db: Db, { id, sealed }: FormerKey, { keptAt, isNew }: Keeping): Promise<void> {
  await db
    .insert(formerKeys)
    .values({ id, sealed, keptAt })
    .onConflictDoUpdate({ target: formerKeys.id, set: { sealed, ...(isNew && { keptAt }) } });
}

export const countDeparted = (db: Db): Promise<number> => db.$count(departedMailboxes);

/** Codes that were mailed up to some moment and are still good: how many, and until when the last of them is. */
export async function findOpenCodes(db: Db, { until, now }: { until: Date; now: Date }) {
  const [signing] = await db
    .select({ count: sql<number>`count(*)::integer`, last: max(signUps.expiresAt) })
    .from(signUps)
    .where(and(isNull(signUps.usedAt), gte(signUps.expiresAt, now), lte(signUps.mailedAt, until)));
  const [campaign] = await db
    .select({ count: sql<number>`count(*)::integer`, last: max(campaignEmails.expiresAt) })
    .from(campaignEmails)
    .where(and(isNull(campaignEmails.usedAt), gte(campaignEmails.expiresAt, now), lte(campaignEmails.mailedAt, until)));
  const [changing] = await db
    .select({ count: sql<number>`count(*)::integer`, last: max(emailChanges.expiresAt) })
    .from(emailChanges)
    .where(and(gte(emailChanges.expiresAt, now), lte(emailChanges.mailedAt, until)));
  const open = [signing, campaign, changing].filter((each) => each !== undefined);
  const last = open.map((each) => each.last).filter((each) => each instanceof Date);
  return { count: open.reduce((sum, each) => sum + each.count, 0), last: last.sort((a, b) => +b - +a)[0] };
}
