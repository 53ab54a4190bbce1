import { and, asc, eq, gt } from "drizzle-orm";
import { emailKey } from "../mail/email-key.ts";
import type { Db, Tx } from "../db/client.ts";
import { backgroundJobs, campaignEmails, users } from "../db/schema.ts";
import type { Deps } from "../deps.ts";
import { MAIL } from "../mail/outbox.ts";
import type { Owner } from "./holdings.ts";

const BATCH = 100;

/**
 * The letters to a member that wait to be sent, or were given up. To whom a letter goes is inside it, encrypted, so all of them are
 * opened: the queue is short, or mail has stopped.
 */
export async function* findWaitingMail({ outbox }: Pick<Deps, "outbox">, db: Db | Tx, owner: Owner) {
  const addresses = await findAddresses(db, owner);
  for (let after = ""; ;) {
    const queued = await db
      .select()
      .from(backgroundJobs)
      .where(and(eq(backgroundJobs.kind, MAIL), gt(backgroundJobs.key, after)))
      .orderBy(asc(backgroundJobs.key))
      .limit(BATCH);
    for (const { key: id, payload, dueAt, expiresAt } of queued) {
      const letter = payload && outbox.open(id, payload);
      if (letter && addresses.has(emailKey(letter.to))) yield { id, subject: letter.subject, dueAt, expiresAt };
    }
    const last = queued.at(-1);
    if (queued.length < BATCH || !last) return;
    after = last.key;
  }
}

/** All addresses of a member's: their own, the one for campaign mail, and the one that is to become it. */
async function findAddresses(db: Db | Tx, { email, userId }: Owner): Promise<Set<string>> {
  const [found] = await db
    .select({ campaign: users.campaignEmail, pending: campaignEmails.email })
    .from(users)
    .leftJoin(campaignEmails, eq(campaignEmails.userId, users.id))
    .where(eq(users.id, userId));
  const given = [found?.campaign, found?.pending].filter((address) => typeof address === "string");
  return new Set([email, ...given.map(emailKey)]);
}
