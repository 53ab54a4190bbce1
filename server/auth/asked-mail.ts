import type { Db, Tx } from "../db/client.ts";
import { limitKeyOf, type Client } from "../http/client.ts";
import type { RateLimiter } from "../rate-limits/rate-limiter.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { emailKey } from "../mail/email-key.ts";
import { mailboxKey } from "../mail/mailbox-key.ts";
import { findAccount } from "./queries.ts";

/**
 * Takes one from the mails that may be sent to an address when somebody asks who has not yet shown that it is theirs;
 * false when none is left. Give the same answer either way: another one would tell what others have asked for. Where
 * the transaction fails, the mail is given back.
 */
export async function takeAskedMail(
  { db, limits: all }: { db: Db | Tx; limits: Pick<RateLimiter, "within"> },
  email: string,
  client: Pick<Client, "address" | "deviceHash">,
): Promise<boolean> {
  const limits = all.within(db);
  const key = emailKey(email);
  const mailbox = mailboxKey(key);
  const account = await findAccount(db, key, client.deviceHash);
  if (account?.isKnownDevice && client.deviceHash)
    return limits.tryTake(LIMITS.askedMailByDevice, `${mailbox} ${client.deviceHash.toString("hex")}`);
  const isWithinClient = await limits.tryTake(LIMITS.askedMailByClient, `${mailbox} ${limitKeyOf(client.address)}`);
  return isWithinClient && limits.tryTake(LIMITS.askedMailByMailbox, mailbox);
}
