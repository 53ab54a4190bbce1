import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { emailKey } from "../mail/email-key.ts";
import { mailboxKey } from "../mail/mailbox-key.ts";
import { storeMailboxHash } from "../referrals/screening.queries.ts";
import { deleteUnsignedIdentity, replaceAddress } from "./queries.ts";

/** Whether this server keeps the addresses that members sign in with, so that members can change them. */
export const managesAddresses = ({ env, supabase }: Pick<Deps, "env" | "supabase">): boolean =>
  !env.authApiUrl && !supabase;

type Move = { userId: string; email: string; now: Date };

/**
 * Changes the address that a member signs in with. Emails queued for the former address still count as this member's.
 * Only a hash of the former mailbox is kept, so that somebody who joins with it again does not count as a new member.
 * Deletes an unsigned Machine ID record: once signed, it would say for good that we know the former address. Rejects
 * with a unique violation if the address belongs to another member.
 */
export async function setAddress(
  { mailed, outbox }: Pick<Deps, "mailed" | "outbox">,
  tx: Tx,
  { userId, email, now }: Move,
) {
  const key = emailKey(email);
  const address = { email, emailKey: key, mailboxKey: mailboxKey(key) };
  const former = await replaceAddress(tx, { userId, address, now });
  await deleteUnsignedIdentity(tx, userId);
  if (former && former.emailKey !== key) await outbox.follow(tx, { from: former.emailKey, to: key });
  if (!former || former.mailboxKey === address.mailboxKey) return;
  const departing = { userId, mailboxKey: former.mailboxKey, mailboxHash: mailed.hashMailbox(former.mailboxKey), now };
  await storeMailboxHash(tx, departing);
}
