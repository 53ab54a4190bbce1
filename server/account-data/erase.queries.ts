import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { backgroundJobs, heartbeats, pointsLedger, referrals, users, FORGOTTEN } from "../db/schema.ts";
import { MAIL } from "../mail/outbox.queries.ts";
import { IS_UNPARTITIONED } from "../points/ledger/listed.queries.ts";

/** Locks a member until the transaction ends: nobody else can change them or add references to them. */
export async function lockMember(tx: Tx, userId: string) {
  const [member] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
  return member;
}

/**
 * Removes everything personal from a member's row. Only the id stays, by which the ledger, the sums and the referrals
 * tell members apart. The database enforces that (the check users_deleted), and allows no change after it (the trigger
 * users_deleted_is_final).
 */
export async function erasePersonalData(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx
    .update(users)
    .set({
      ...FORGOTTEN,
      email: userId,
      // Nobody can type this as an address.
      emailKey: userId,
      mailboxKey: "",
      campaignMail: false,
      walletChangedAt: null,
      isWhitelisted: false,
      blockedAt: null,
      onboardedAt: null,
      updatedAt: now,
      deletedAt: now,
    })
    .where(eq(users.id, userId));
}

/** Removes the text from all ledger entries that may name the member: theirs, and those of their inviter. */
export async function anonymiseLedger(tx: Tx, userId: string): Promise<void> {
  await tx.execute(describeAnonymising(userId));
}

/**
 * Returns the statement for `anonymiseLedger`. Heartbeats, nearly all of the entries, name nobody, so it skips the
 * monthly partitions.
 */
export const describeAnonymising = (userId: string): SQL => {
  const named = sql`
    select user_id, id from ${pointsLedger}
    where user_id = ${userId} and not names_nobody(rule) and ${IS_UNPARTITIONED}
    union
    select claimed.user_id, claimed.id
    from ${referrals} as invitation
    join ${pointsLedger} as claimed on claimed.user_id = invitation.inviter_id
      and claimed.source = 'referral' and claimed.source_id = invitation.id::text and claimed.rule = 'referral-claimed'
    where invitation.invitee_id = ${userId}`;
  return sql`
    update ${pointsLedger} as entry
    set comment = anonymous_comment(entry.rule, entry.comment),
      source_id = anonymous_source_id(entry.rule, entry.source_id, entry.id)
    from (${named}) as named
    where entry.user_id = named.user_id and entry.id = named.id and ${IS_UNPARTITIONED}`;
};

/** Removes the machines from a member's heartbeats. They no longer say which machine sent them. */
export async function forgetMachines(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(heartbeats)
    .set({ deviceId: null })
    .where(and(eq(heartbeats.userId, userId), sql`${heartbeats.deviceId} is not null`));
}

export async function deleteMailById(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.delete(backgroundJobs).where(and(eq(backgroundJobs.kind, MAIL), inArray(backgroundJobs.key, ids)));
}
