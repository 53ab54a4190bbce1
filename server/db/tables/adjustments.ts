import { sql } from "drizzle-orm";
import { check, date, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, points } from "../columns.ts";
import { memberId } from "./users.ts";

/** Points that one administrator wants to give or take away, and that a second one has to approve. */
export const adjustmentRequests = pgTable(
  "adjustment_requests",
  {
    /** Ids sort in the order they were created. */
    id: uuid("id").primaryKey(),
    userId: memberId(),
    category: text("category", { enum: ["Connectivity", "Referral", "Rewards", "Others"] }).notNull(),
    points: points("points").notNull(),
    /**
     * Chosen by the requester. Repeating a request with the same key adds neither a second request nor a second ledger
     * row.
     */
    key: text("key").notNull(),
    /** The comment of the ledger row. */
    reason: text("reason").notNull(),
    requestedBy: uuid("requested_by").notNull(),
    requestedAt: instant("requested_at").notNull(),
    /** Nobody can approve it after this. */
    expiresAt: instant("expires_at").notNull(),
    decision: text("decision", { enum: ["approved", "declined"] }),
    decidedBy: uuid("decided_by"),
    decidedAt: instant("decided_at"),
  },
  (table) => [
    uniqueIndex("adjustment_requests_key_unique").on(table.userId, table.key),
    index("adjustment_requests_open")
      .on(table.expiresAt, table.id)
      .where(sql`${table.decision} is null`),
    check("adjustment_requests_category", sql`${table.category} in ('Connectivity', 'Referral', 'Rewards', 'Others')`),
    check("adjustment_requests_decision", sql`${table.decision} in ('approved', 'declined')`),
    check(
      "adjustment_requests_decided",
      sql`(${table.decision} is null) = (${table.decidedBy} is null) and (${table.decision} is null) = (${table.decidedAt} is null)`,
    ),
    check(
      "adjustment_requests_second",
      sql`${table.decision} is distinct from 'approved' or ${table.decidedBy} <> ${table.requestedBy}`,
    ),
  ],
);

/** How many points an administrator has given and taken without approval, on the latest day on which they did so. */
export const adjustmentAllowances = pgTable("adjustment_allowances", {
  administratorId: uuid("administrator_id").primaryKey(),
  /** A UTC day. */
  day: date("day", { mode: "string" }).notNull(),
  points: points("points").notNull(),
});
