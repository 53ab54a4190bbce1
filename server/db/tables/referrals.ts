import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, points } from "../columns.ts";
import { memberId } from "./users.ts";

/** A friend who joined with a member's code: one row an invitee, whoever invited. */
export const referrals = pgTable(
  "referrals",
  {
    inviterId: memberId("inviter_id"),
    id: uuid("id").notNull(),
    inviteeId: memberId("invitee_id"),
    invitedPoints: points("invited_points").notNull(),
    invitedAt: instant("invited_at").notNull(),
    claimedAt: instant("claimed_at"),
    /** When the friend left with everything done that it takes: it stays claimable. */
    settledAt: instant("settled_at"),
    /** Why nothing is paid until somebody has looked at it. */
    heldReason: text("held_reason", {
      enum: ["same-mailbox", "same-device", "disposable-address", "cycle", "returned"],
    }),
    heldAt: instant("held_at"),
    /** When a held referral was decided on, and how. */
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
    /** By id, which is in the order of time. */
    index("referrals_waiting")
      .on(table.id)
      .where(sql`${table.heldAt} is not null and ${table.reviewedAt} is null`),
    uniqueIndex("referrals_invitee_unique").on(table.inviteeId),
    index("referrals_by_time").on(table.inviterId, table.invitedAt.desc(), table.id.desc()),
    /** Of an inviter with many friends, those that are still to be claimed. */
    index("referrals_open")
      .on(table.inviterId, table.invitedAt.desc(), table.id.desc())
      .where(sql`${table.claimedAt} is null`),
  ],
);

/** The mailboxes that invited friends joined with, so that of two at the same moment one waits and sees the other. */
export const invitedMailboxes = pgTable("invited_mailboxes", {
  mailboxKey: text("mailbox_key").primaryKey(),
});

export const referralTotals = pgTable("referral_totals", {
  userId: memberId().primaryKey(),
  invited: integer("invited").notNull().default(0),
  successful: integer("successful").notNull().default(0),
  points: points("points").notNull().default(0),
});
