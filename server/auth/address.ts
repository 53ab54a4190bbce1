import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { emailKey } from "../mail/email-key.ts";
import { mailboxKey } from "../mail/mailbox-key.ts";
import { keepMailboxHash } from "../referrals/screening.queries.ts";
import { deleteUnsignedIdentity, replaceAddress } from "./queries.ts";

/** Whether the addresses that members sign in with are kept here, and can be changed. */
export const keepsAddresses = ({ env, supabase }: Pick<Deps, "env" | "supabase">): boolean =>
  !env.authApiUrl && !supabase;

type Move = { userId: string; email: string; now: Date };

/**
 * Changes the address that a member signs in with. Letters that wait for the former one stay the member's. Of its
 * mailbox only a hash stays: who joins with it again is no new member. A record for the network that is not signed yet
 * is forgotten: it would say for good that we know the former one. Rejects with a unique violation where the address is
 * another member's.
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
  await keepMailboxHash(tx, departing);
}
