import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { departedMailboxes, invitedMailboxes, knownDevices, users } from "../db/schema.ts";

/** How many generations up the invitations are followed. */
const MAX_GENERATIONS = 20;

export async function findInvitee(tx: Tx, inviteeId: string) {
  const [invitee] = await tx
    .select({ emailKey: users.emailKey, mailboxKey: users.mailboxKey })
    .from(users)
    .where(eq(users.id, inviteeId));
  return { mailboxKey: invitee?.mailboxKey ?? "", domain: invitee?.emailKey.split("@")[1] ?? "" };
}

/** Waits for anyone who is joining with the same mailbox right now, so that later queries see them. */
export async function lockMailbox(tx: Tx, mailboxKey: string): Promise<void> {
  await tx.insert(invitedMailboxes).values({ mailboxKey }).onConflictDoNothing();
}

type Kinship = { sharesMailbox: boolean; sharesDevice: boolean };
type Invitee = { inviterId: string; mailboxKey: string; deviceHash: Buffer | undefined };

/**
 * Returns what the inviter, the member who invited them, and so on upwards, have in common with a new member. The
 * inviter comes first.
 */
export async function findSharedTraits(tx: Tx, { inviterId, mailboxKey, deviceHash }: Invitee): Promise<Kinship[]> {
  const { rows } = await tx.execute<Kinship>(sql`
    with recursive above as (
      select id, invited_by, mailbox_key, 1 as generation from ${users} where id = ${inviterId}
      union all
      select member.id, member.invited_by, member.mailbox_key, above.generation + 1
      from above join ${users} as member on member.id = above.invited_by
      where above.generation < ${MAX_GENERATIONS}
    )
    select mailbox_key = ${mailboxKey} as "sharesMailbox",
      exists (
        select from ${knownDevices} as known
        where known.user_id = above.id and known.token_hash = ${deviceHash ?? null}
      ) as "sharesDevice"
    from above order by generation`);
  return rows;
}

/** Returns whether another member has the same mailbox behind a different spelling of the address. */
export async function isMailboxShared(tx: Tx, { inviteeId, mailboxKey }: { inviteeId: string; mailboxKey: string }) {
  return (await tx.$count(users, and(eq(users.mailboxKey, mailboxKey), ne(users.id, inviteeId)))) > 0;
}

/** Returns whether an account had this mailbox before, and was deleted or has another address now. */
export async function hasDeparted(tx: Tx, mailboxHashes: readonly Buffer[]): Promise<boolean> {
  return (await tx.$count(departedMailboxes, inArray(departedMailboxes.mailboxHash, [...mailboxHashes]))) > 0;
}

type Departing = { userId: string; mailboxKey: string; mailboxHash: Buffer; now: Date };

/** Keeps only a hash of a member's former mailbox, so that nobody is paid a second time for inviting it. */
export async function storeMailboxHash(tx: Tx, { userId, mailboxKey, mailboxHash, now }: Departing): Promise<void> {
  await tx
    .insert(departedMailboxes)
    .values({ mailboxHash, departedAt: now })
    .onConflictDoUpdate({ target: departedMailboxes.mailboxHash, set: { departedAt: now } });
  const twins = tx
    .select({ mailboxKey: users.mailboxKey })
    .from(users)
    .where(and(eq(users.mailboxKey, mailboxKey), ne(users.id, userId)));
  await tx
    .delete(invitedMailboxes)
    .where(and(eq(invitedMailboxes.mailboxKey, mailboxKey), sql`${invitedMailboxes.mailboxKey} not in ${twins}`));
}
