import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "./accounts.schema.ts";
import { instant, points } from "./columns.ts";

// Every table is found here, by the code and by the migrations.
export * from "./accounts.schema.ts";
export * from "./background.schema.ts";
export * from "./chain.schema.ts";
export * from "./deletion.schema.ts";
export * from "./jobs.schema.ts";
export * from "./legal.schema.ts";
export * from "./node.schema.ts";
export * from "./wallet.schema.ts";

/*
 * Keys lead with user_id, so that the tables can be spread over a cluster by member.
 * Points are numeric with two decimals: sums are exact. All instants are timestamptz, all days are UTC days.
 */

/**
 * The append-only record of every point. Triggers refuse update, delete and truncate, but for one thing: the words of
 * entries that name a member who has deleted their account.
 */
export const pointsLedger = pgTable(
  "points_ledger",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    id: uuid("id").notNull(),
    category: text("category", { enum: ["Connectivity", "Referral", "Rewards", "Others"] }).notNull(),
    points: points("points").notNull(),
    comment: text("comment").notNull(),
    /** What kind of event earned the points, and which one: together unique for a member. */
    source: text("source").notNull(),
    sourceId: text("source_id").notNull(),
    /** Which rule decided the amount, and in which version. */
    rule: text("rule").notNull(),
    ruleVersion: smallint("rule_version").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    postedAt: instant("posted_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex("points_ledger_source_unique").on(table.userId, table.source, table.sourceId),
    index("points_ledger_by_time").on(table.userId, table.occurredAt.desc(), table.id.desc()),
    index("points_ledger_by_category").on(table.userId, table.category, table.occurredAt.desc(), table.id.desc()),
    check("points_ledger_category", sql`${table.category} in ('Connectivity', 'Referral', 'Rewards', 'Others')`),
  ],
);

/** Running sums of the ledger, one row a member, kept in the transaction that posts. */
export const pointsTotals = pgTable("points_totals", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  connectivity: points("connectivity").notNull().default(0),
  referral: points("referral").notNull().default(0),
  rewards: points("rewards").notNull().default(0),
  others: points("others").notNull().default(0),
});

/** The ledger summed by UTC day and category, with how many rows each sum stands for. */
export const pointsDaily = pgTable(
  "points_daily",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    day: date("day", { mode: "string" }).notNull(),
    category: text("category", { enum: ["Connectivity", "Referral", "Rewards", "Others"] }).notNull(),
    points: points("points").notNull(),
    entries: integer("entries").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day, table.category] })],
);

/** Accepted heartbeats: one a member and slot, which the primary key decides. */
export const heartbeats = pgTable(
  "heartbeats",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** Start of the interval that the beat fills. */
    slotAt: instant("slot_at").notNull(),
    beatAt: instant("beat_at").notNull(),
    receivedAt: instant("received_at").notNull().defaultNow(),
    deviceId: uuid("device_id"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.slotAt] })],
);

export const heartbeatTotals = pgTable("heartbeat_totals", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  heartbeats: bigint("heartbeats", { mode: "number" }).notNull().default(0),
  lastBeatAt: instant("last_beat_at"),
});

/** A friend who joined with a member's code: one row an invitee, whoever invited. */
export const referrals = pgTable(
  "referrals",
  {
    inviterId: uuid("inviter_id")
      .notNull()
      .references(() => users.id),
    id: uuid("id").notNull(),
    inviteeId: uuid("invitee_id")
      .notNull()
      .references(() => users.id),
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
    uniqueIndex("referrals_invitee_unique").on(table.inviteeId),
    index("referrals_by_time").on(table.inviterId, table.invitedAt.desc(), table.id.desc()),
  ],
);

/** The mailboxes that invited friends joined with, so that of two at the same moment one waits and sees the other. */
export const invitedMailboxes = pgTable("invited_mailboxes", {
  mailboxKey: text("mailbox_key").primaryKey(),
});

export const referralTotals = pgTable("referral_totals", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  invited: integer("invited").notNull().default(0),
  successful: integer("successful").notNull().default(0),
  points: points("points").notNull().default(0),
});

export const campaigns = pgTable("campaigns", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  type: text("type").notNull(),
  formUrl: text("form_url").notNull(),
  bonusPoints: points("bonus_points").notNull(),
  mandatory: boolean("mandatory").notNull(),
  buttonText: text("button_text"),
  taskNumber: integer("task_number").notNull(),
});

/** What a member has done for a campaign, and whether its points were claimed. */
export const campaignSubmissions = pgTable(
  "campaign_submissions",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    campaignId: text("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    completedAt: instant("completed_at").notNull(),
    claimedAt: instant("claimed_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.campaignId] })],
);

/** Profiles, comments and posts that a member's node gathered, each worth points once. */
export const contentContributions = pgTable(
  "content_contributions",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    id: uuid("id").notNull(),
    kind: text("kind", { enum: ["profile", "comment", "post"] }).notNull(),
    /** The gatherer's own id of the item: together with the kind unique for a member. */
    reference: text("reference").notNull(),
    title: text("title").notNull(),
    points: points("points").notNull(),
    gatheredAt: instant("gathered_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex("content_contributions_reference_unique").on(table.userId, table.kind, table.reference),
    index("content_contributions_by_time").on(table.userId, table.gatheredAt.desc(), table.id.desc()),
  ],
);

export const contentTotals = pgTable("content_totals", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  contributions: integer("contributions").notNull().default(0),
});
