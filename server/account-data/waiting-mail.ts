import { and, asc, eq, gt, inArray, isNull, ne } from "drizzle-orm";
import { emailKey } from "../mail/email-key.ts";
import type { Db, Tx } from "../db/client.ts";
import { backgroundJobs, users } from "../db/schema.ts";
import type { Deps } from "../deps.ts";
import { MAIL } from "../mail/outbox.ts";
import type { Owner } from "./holdings.ts";

/** Letters that are opened at once. */
const BATCH = 100;

type OutboxDeps = Pick<Deps, "outbox">;

/**
 * The letters to a member that wait to be sent, or were given up, also those to an address that they had before. Whose
 * a letter is stands in it, encrypted, and beside it as a hash.
 */
export async function* findWaitingMail({ outbox }: OutboxDeps, db: Db | Tx, owner: Owner) {
  const addresses = await findAddresses(db, owner);
  for await (const { key: id, payload, dueAt, expiresAt } of findQueued(
    db,
    [...addresses].flatMap(outbox.listRecipientHashes),
  )) {
    const letter = payload && outbox.open(id, payload);
    if (!letter || !addresses.has(emailKey(letter.of ?? letter.to))) continue;
    yield { id, subject: letter.subject, dueAt, expiresAt };
  }
}

/**
 * Letters by the hashes of their recipients, and those that were queued before there were any: they may be anybody's.
 */
async function* findQueued(db: Db | Tx, recipients: Buffer[]) {
  yield* await findByRecipient(db, recipients);
  for (let after = ""; ;) {
    const queued = await findUnaddressed(db, after);
    yield* queued;
    const last = queued.at(-1);
    if (queued.length < BATCH || !last) return;
    after = last.key;
  }
}

export const findByRecipient = (db: Db | Tx, recipients: Buffer[]) =>
  db.select().from(backgroundJobs).where(inArray(backgroundJobs.recipient, recipients));

export const findUnaddressed = (db: Db | Tx, after: string) =>
  db
    .select()
    .from(backgroundJobs)
    .where(and(eq(backgroundJobs.kind, MAIL), isNull(backgroundJobs.recipient), gt(backgroundJobs.key, after)))
    .orderBy(asc(backgroundJobs.key))
    .limit(BATCH);

/**
 * The addresses that are a member's: their own and the one for campaign mail. One that they have only named may be
 * anybody's, and what waits for it is not theirs to know or to delete; a code to it ends by itself. Nor is what waits
 * for an address for campaign mail that another member signs in with.
 */
export async function findAddresses(db: Db | Tx, { email, userId }: Owner): Promise<Set<string>> {
  const [found] = await db.select({ campaign: users.campaignEmail }).from(users).where(eq(users.id, userId));
  const campaign = found?.campaign && emailKey(found.campaign);
  const isOthers = campaign && (await db.$count(users, and(eq(users.emailKey, campaign), ne(users.id, userId)))) > 0;
  return new Set(campaign && !isOthers ? [email, campaign] : [email]);
}
