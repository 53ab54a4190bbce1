import { and, eq, gte, isNotNull, isNull, lte, max, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client.ts";
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
import { MAIL } from "../../mail/outbox.queries.ts";
import type { FormerKey } from "../../secrets/credential.ts";

/** How many rows to read at once. */
export const PAGE = 500;

/**
 * `key`: the columns that identify a row, in the order of an index. The last one is the id that the row is sealed with.
 */
type Place = { key: [PgColumn, ...PgColumn[]]; sealed: PgColumn; where?: SQL };

const isWebhook = isNull(webhookEndpoints.removedAt);

/** Everything that is sealed with the installation's secret. A removed webhook no longer has a secret. */
const PLACES = {
  letters: { key: [backgroundJobs.key], sealed: backgroundJobs.payload, where: eq(backgroundJobs.kind, MAIL) },
  sessions: { key: [sessions.userId, sessions.id], sealed: sessions.providerSession },
  recoveries: { key: [passwordResets.id], sealed: passwordResets.providerSession },
  signUps: { key: [signUps.id], sealed: signUps.sealedPassword },
  webhooks: { key: [webhookEndpoints.id], sealed: webhookEndpoints.secret, where: isWebhook },
  formerWebhooks: { key: [webhookEndpoints.id], sealed: webhookEndpoints.previousSecret, where: isWebhook },
} satisfies Record<string, Place>;

export type Kind = keyof typeof PLACES;

export type SealedRow = { key: string[]; sealed: Buffer };

const list = (parts: readonly unknown[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

/** Returns a page of rows after this one, in the order of their keys. Each row is read once, however many there are. */
export function findSealed(db: Db, kind: Kind, after: string[] | undefined) {
  const { key, sealed, where }: Place = PLACES[kind];
  const texts = key.map((column) => sql`${column}::text`);
  return db
    .select({ key: sql<string[]>`array[${list(texts)}]`, sealed: sql<Buffer>`${sealed}` })
    .from(key[0].table)
    .where(and(where, isNotNull(sealed), after && sql`(${list(key)}) > (${list(after)})`))
    .orderBy(...key)
    .limit(PAGE);
}

type Renewed = { was: Buffer; sealed: Buffer };

/** Saves an email only if the row is still as it was read. If somebody else has changed it since, theirs is newer. */
export async function saveEmail(db: Db, email: Renewed & { id: string; recipient: Buffer }) {
  const { id, was, sealed, recipient } = email;
  await db
    .update(backgroundJobs)
    .set({ payload: sealed, recipient })
    .where(and(eq(backgroundJobs.kind, MAIL), eq(backgroundJobs.key, id), eq(backgroundJobs.payload, was)));
}

type Sealing = Renewed & { kind: Exclude<Kind, "letters">; key: string[] };

export const describeSealing = ({ kind, key, was, sealed }: Sealing): SQL => {
  const place: Place = PLACES[kind];
  return sql`
    update ${place.key[0].table} set ${sql.identifier(place.sealed.name)} = ${sealed}
    where (${list(place.key)}) = (${list(key)}) and ${place.sealed} = ${was}`;
};

export async function saveSealed(db: Db, sealing: Sealing): Promise<void> {
  await db.execute(describeSealing(sealing));
}

type FormerKeyTimes = { keptAt: Date; /** Whether the key was in use until now. */ isNew: boolean };

/** Keeps a key once. A key that was kept before keeps its time, unless it was in use until now. */
export async function storeFormerKey(
  db: Db,
  { id, sealed }: FormerKey,
  { keptAt, isNew }: FormerKeyTimes,
): Promise<void> {
  await db
    .insert(formerKeys)
    .values({ id, sealed, keptAt })
    .onConflictDoUpdate({ target: formerKeys.id, set: { sealed, ...(isNew && { keptAt }) } });
}

export const countDeparted = (db: Db): Promise<number> => db.$count(departedMailboxes);

/** Returns how many codes that were mailed by `until` are still valid, and when the last of them expires. */
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
