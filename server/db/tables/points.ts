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
 * The append-only record of every point. Triggers refuse update, delete and truncate, but for one thing: the words of
 * entries that name a member who has deleted their account.
 *
 * Where the operator has divided it by month (docs/decisions/0063), the unique key is the primary one and (user_id, id)
 * an index: a key over all months holds what they are divided by. Ids are 74 random bits after the time.
 */
export const pointsLedger = pgTable(
  "points_ledger",
  {
    userId: memberId(),
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
  userId: memberId().primaryKey(),
  connectivity: points("connectivity").notNull().default(0),
  referral: points("referral").notNull().default(0),
  rewards: points("rewards").notNull().default(0),
  others: points("others").notNull().default(0),
});

/** The ledger summed by UTC day and category, with how many rows each sum stands for. */
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
    /** For the sums of a day over everybody. */
    index("points_daily_by_day").on(table.day, table.category),
  ],
);

/**
 * What rows of the ledger came to that are gone: heartbeats of months that are kept no longer, in the days' sums, too.
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
