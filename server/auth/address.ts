import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { machineIdentities, users } from "../db/schema.ts";
import type { Deps } from "../deps.ts";
import { emailKey } from "../mail/email-key.ts";
import { mailboxKey } from "../mail/mailbox-key.ts";
import { keepMailboxHash } from "../referrals/screening.queries.ts";

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
  const [former] = await tx
    .select({ emailKey: users.emailKey, mailboxKey: users.mailboxKey })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  await tx
    .update(users)
    .set({ ...address, updatedAt: now })
    .where(eq(users.id, userId));
  const isUnsigned = and(eq(machineIdentities.userId, userId), isNull(machineIdentities.signedAt));
  await tx.delete(machineIdentities).where(isUnsigned);
  if (former && former.emailKey !== key) await outbox.follow(tx, { from: former.emailKey, to: key });
  if (!former || former.mailboxKey === address.mailboxKey) return;
  const departing = { userId, mailboxKey: former.mailboxKey, mailboxHash: mailed.hashMailbox(former.mailboxKey), now };
  await keepMailboxHash(tx, departing);
}
