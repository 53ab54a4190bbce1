import { sql } from "drizzle-orm";
import {
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
import { instant, points } from "../columns.ts";
import { memberId } from "./users.ts";

/**
 * The append-only record of every point. Triggers reject update, delete and truncate, with one exception: the comments
 * of entries that name a member who has deleted their account.
 *
 * If the operator has partitioned it by month (docs/decisions/0063), the unique key becomes the primary key and
 * (user_id, id) a plain index: a unique key across partitions must include the partition key. Ids have 74 random bits
 * after the time.
 */
export const pointsLedger = pgTable(
  "points_ledger",
  {
    userId: memberId(),
    id: uuid("id").notNull(),
    category: text("category", { enum: ["Connectivity", "Referral", "Rewards", "Others"] }).notNull(),
    points: points("points").notNull(),
    comment: text("comment").notNull(),
    /** The kind of event that earned the points, and its id. Together they are unique per member. */
    source: text("source").notNull(),
    sourceId: text("source_id").notNull(),
    /** Which rule set the amount, and its version. */
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

/** Running totals of the ledger, one row per member, updated in the transaction that posts. */
export const pointsTotals = pgTable("points_totals", {
  userId: memberId().primaryKey(),
  connectivity: points("connectivity").notNull().default(0),
  referral: points("referral").notNull().default(0),
  rewards: points("rewards").notNull().default(0),
  others: points("others").notNull().default(0),
});

/** The ledger summed by UTC day and category, with the number of entries in each sum. */
export const pointsDaily = pgTable(
  "points_daily",
  {
    userId: memberId(),
    day: date("day", { mode: "string" }).notNull(),
    category: text("category", { enum: ["Connectivity", "Referral", "Rewards", "Others"] }).notNull(),
    points: points("points").notNull(),
    entries: integer("entries").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.day, table.category] }),
    /** For sums of one day over all members. */
    index("points_daily_by_day").on(table.day, table.category),
  ],
);

/**
 * Sums of ledger rows that were removed: heartbeats of months that are no longer kept. `points_daily` includes them
 * too.
 */
export const ledgerDays = pgTable(
  "ledger_days",
  {
    userId: memberId(),
    day: date("day", { mode: "string" }).notNull(),
    category: text("category", { enum: ["Connectivity", "Referral", "Rewards", "Others"] }).notNull(),
    points: points("points").notNull(),
    entries: integer("entries").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day, table.category] })],
);
