import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, points } from "../columns.ts";
import { memberId } from "./users.ts";

export const campaigns = pgTable(
  "campaigns",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    type: text("type").notNull(),
    formUrl: text("form_url").notNull(),
    bonusPoints: points("bonus_points").notNull(),
    mandatory: boolean("mandatory").notNull(),
    buttonText: text("button_text"),
    taskNumber: integer("task_number").notNull(),
    /** When the campaign opens. Null if it has always been open. */
    startsAt: instant("starts_at"),
    /** When the campaign closes. Null if it never does. */
    endsAt: instant("ends_at"),
  },
  // The same limits as in the contract. "heartbeat" names the reward for heartbeats.
  (table) => [
    index("campaigns_by_task").on(table.taskNumber, table.id),
    check("campaigns_id", sql`${table.id} <> 'heartbeat' and char_length(${table.id}) between 1 and 64`),
    check("campaigns_name", sql`char_length(${table.name}) between 1 and 120`),
    check("campaigns_type", sql`char_length(${table.type}) between 1 and 40`),
    check("campaigns_form_url", sql`${table.formUrl} ~ '^https://' and char_length(${table.formUrl}) <= 500`),
    check("campaigns_bonus_points", sql`${table.bonusPoints} > 0 and ${table.bonusPoints} <= 1000000`),
    check("campaigns_button_text", sql`char_length(${table.buttonText}) between 1 and 40`),
    check("campaigns_task_number", sql`${table.taskNumber} between 0 and 9999`),
    check("campaigns_times", sql`${table.endsAt} > ${table.startsAt}`),
  ],
);

/**
 * How far the emails about a campaign are. A campaign without a row is not emailed. Not part of the campaign's own row,
 * which an administrator may be changing while emails are sent.
 */
export const campaignMailings = pgTable("campaign_mailings", {
  campaignId: text("campaign_id")
    .primaryKey()
    .references(() => campaigns.id),
  /** The last member who was emailed. Members are emailed in the order of their ids. */
  reachedUserId: uuid("reached_user_id"),
  emailed: integer("emailed").notNull().default(0),
  /** When all members had been emailed. */
  finishedAt: instant("finished_at"),
});

/** When a member completed a campaign, and when they claimed its points. */
export const campaignSubmissions = pgTable(
  "campaign_submissions",
  {
    userId: memberId(),
    campaignId: text("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    completedAt: instant("completed_at").notNull(),
    claimedAt: instant("claimed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.campaignId] }),
    index("campaign_submissions_claimed_at")
      .on(table.claimedAt)
      .where(sql`${table.claimedAt} is not null`),
    index("campaign_submissions_by_time").on(table.campaignId, table.completedAt, table.userId),
    index("campaign_submissions_claimed")
      .on(table.campaignId)
      .where(sql`${table.claimedAt} is not null`),
  ],
);
