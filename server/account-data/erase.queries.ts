import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { backgroundJobs, heartbeats, pointsLedger, referrals, users, FORGOTTEN } from "../db/schema.ts";
import { MAIL } from "../mail/outbox.queries.ts";
import { GOES_BY_NO_MONTH } from "../points/ledger/listed.ts";

/** The member, whom nobody else changes or refers to anew until the transaction ends. */
export async function lockMember(tx: Tx, userId: string) {
  const [member] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
  return member;
}

/**
 * Takes everything personal out of a member's row. What remains is the id, by which the ledger, the sums and the
 * referrals know one member from another. The database holds it to that (the check users_deleted), and lets nobody
 * change it after that (the trigger users_deleted_is_final).
 */
export async function emptyMember(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx
    .update(users)
    .set({
      ...FORGOTTEN,
      email: userId,
      // No address that anybody can type.
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

/** Takes the words out of all entries of the ledger that may name the member: theirs, and those of who invited them. */
export async function anonymiseLedger(tx: Tx, userId: string): Promise<void> {
  await tx.execute(describeAnonymising(userId));
}

/** Heartbeats, which are nearly all entries, name nobody: of a ledger that is divided their months are left out. */
export const describeAnonymising = (userId: string): SQL => {
  const named = sql`
    select user_id, id from ${pointsLedger}
    where user_id = ${userId} and not names_nobody(rule) and ${GOES_BY_NO_MONTH}
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
    where entry.user_id = named.user_id and entry.id = named.id and ${GOES_BY_NO_MONTH}`;
};

/** The machines are gone, so heartbeats no longer say which one sent them. */
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
