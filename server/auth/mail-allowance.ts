import type { Db, Tx } from "../db/client.ts";
import { limitKeyOf, type Client } from "../http/client.ts";
import type { RateLimiter } from "../rate-limits/rate-limiter.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { emailKey } from "../mail/email-key.ts";
import { mailboxKey } from "../mail/mailbox-key.ts";
import { findAccount } from "./queries.ts";

/**
 * Takes one of the emails that may be sent to an address at the request of somebody who has not yet shown that it is
 * theirs. Returns false if none is left. The caller must respond the same either way: a different response would reveal
 * what others have asked for. If the transaction fails, the email is given back.
 */
export async function takeMailAllowance(
  { db, limits: all }: { db: Db | Tx; limits: Pick<RateLimiter, "within"> },
  email: string,
  client: Pick<Client, "address" | "deviceHash">,
): Promise<boolean> {
  const limits = all.within(db);
  const key = emailKey(email);
  const mailbox = mailboxKey(key);
  const account = await findAccount(db, key, client.deviceHash);
  if (account?.isKnownDevice && client.deviceHash)
    return limits.tryTake(LIMITS.requestedMailByDevice, `${mailbox} ${client.deviceHash.toString("hex")}`);
  const isWithinClient = await limits.tryTake(LIMITS.requestedMailByClient, `${mailbox} ${limitKeyOf(client.address)}`);
  return isWithinClient && limits.tryTake(LIMITS.requestedMailByMailbox, mailbox);
}
