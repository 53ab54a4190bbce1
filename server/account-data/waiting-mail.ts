import { emailKey } from "../mail/email-key.ts";
import type { Db, Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import type { Owner } from "./holdings.ts";
import { findAddresses, findByRecipient, findUnaddressed, UNADDRESSED_AT_ONCE } from "./waiting-mail.queries.ts";

type OutboxDeps = Pick<Deps, "outbox">;

/**
 * Yields the emails to a member that wait to be sent or were given up, including those to an address that they had
 * before. An email's encrypted content says whose it is, and its row says so by a hash.
 */
export async function* findWaitingMail({ outbox }: OutboxDeps, db: Db | Tx, owner: Owner) {
  const addresses = await findAddresses(db, owner);
  for await (const { key: id, payload, dueAt, expiresAt } of findQueued(
    db,
    [...addresses].flatMap(outbox.listRecipientHashes),
  )) {
    const content = payload && outbox.open(id, payload);
    if (!content || !addresses.has(emailKey(content.of ?? content.to))) continue;
    yield { id, subject: content.subject, dueAt, expiresAt };
  }
}

/**
 * Yields emails by the hashes of their recipients, and those that were queued before there were hashes, which may be
 * anybody's.
 */
async function* findQueued(db: Db | Tx, recipients: Buffer[]) {
  yield* await findByRecipient(db, recipients);
  for (let after = ""; ;) {
    const queued = await findUnaddressed(db, after);
    yield* queued;
    const last = queued.at(-1);
    if (queued.length < UNADDRESSED_AT_ONCE || !last) return;
    after = last.key;
  }
}
