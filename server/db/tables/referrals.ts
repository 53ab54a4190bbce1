import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, points } from "../columns.ts";
import { memberId } from "./users.ts";

/** A friend who joined with a member's code. One row per invitee, whoever the inviter is. */
export const referrals = pgTable(
  "referrals",
  {
    inviterId: memberId("inviter_id"),
    id: uuid("id").notNull(),
    inviteeId: memberId("invitee_id"),
    invitedPoints: points("invited_points").notNull(),
    invitedAt: instant("invited_at").notNull(),
    claimedAt: instant("claimed_at"),
    /** When the friend deleted their account after meeting every condition. The referral stays claimable. */
    settledAt: instant("settled_at"),
    /** Why the referral is on hold: nothing is paid until an administrator has reviewed it. */
    heldReason: text("held_reason", {
      enum: ["same-mailbox", "same-device", "disposable-address", "cycle", "returned"],
    }),
    heldAt: instant("held_at"),
    /** When a held referral was reviewed, and the decision. */
    reviewedAt: instant("reviewed_at"),
    review: text("review", { enum: ["released", "refused"] }),
  },
  (table) => [
    primaryKey({ columns: [table.inviterId, table.id] }),
    index("referrals_held")
      .on(table.heldAt)
      .where(sql`${table.heldAt} is not null and ${table.reviewedAt} is null`),
    index("referrals_claimed_at")
      .on(table.claimedAt)
      .where(sql`${table.claimedAt} is not null`),
    /** Sorted by id, which follows the order of creation. */
    index("referrals_waiting")
      .on(table.id)
      .where(sql`${table.heldAt} is not null and ${table.reviewedAt} is null`),
    uniqueIndex("referrals_invitee_unique").on(table.inviteeId),
    index("referrals_by_time").on(table.inviterId, table.invitedAt.desc(), table.id.desc()),
    /** The referrals that can still be claimed, for an inviter with many friends. */
    index("referrals_open")
      .on(table.inviterId, table.invitedAt.desc(), table.id.desc())
      .where(sql`${table.claimedAt} is null`),
  ],
);

/**
 * Mailboxes that invited friends joined with. If two friends join with the same one at once, the second waits for the
 * first.
 */
export const invitedMailboxes = pgTable("invited_mailboxes", {
  mailboxKey: text("mailbox_key").primaryKey(),
});

export const referralTotals = pgTable("referral_totals", {
  userId: memberId().primaryKey(),
  invited: integer("invited").notNull().default(0),
  successful: integer("successful").notNull().default(0),
  points: points("points").notNull().default(0),
});
