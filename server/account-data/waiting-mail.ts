import { asc, eq, gt } from "drizzle-orm";
import { emailKey } from "../auth/email-key.ts";
import type { Db, Tx } from "../db/client.ts";
import { campaignEmails, mailQueue, users } from "../db/schema.ts";
import type { Deps } from "../deps.ts";
import type { Letter } from "../mail/letter.ts";
import type { Owner } from "./holdings.ts";

const BATCH = 100;
/** Below every id. */
const FIRST = "00000000-0000-0000-0000-000000000000";

/**
 * The letters to a member that wait to be sent. To whom a letter goes is inside it, encrypted, so all of them are
 * opened: the queue is short, or mail has stopped.
 */
export async function* findWaitingMail({ outbox }: Pick<Deps, "outbox">, db: Db | Tx, owner: Owner) {
  const addresses = await findAddresses(db, owner);
  for (let after = FIRST; ;) {
    const queued = await db
      .select()
      .from(mailQueue)
      .where(gt(mailQueue.id, after))
      .orderBy(asc(mailQueue.id))
      .limit(BATCH);
    for (const { id, sealed, dueAt, expiresAt } of queued) {
      const letter = openLetter(outbox, { id, sealed });
      if (letter && addresses.has(emailKey(letter.to))) yield { id, subject: letter.subject, dueAt, expiresAt };
    }
    const last = queued.at(-1);
    if (queued.length < BATCH || !last) return;
    after = last.id;
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

/** Undefined when the session secret has changed since: nobody can read the letter any more. */
function openLetter(outbox: Deps["outbox"], { id, sealed }: { id: string; sealed: Buffer }): Letter | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the seal shows that the outbox wrote it
    return JSON.parse(outbox.open(id, sealed)) as Letter;
  } catch {
    return undefined;
  }
}
