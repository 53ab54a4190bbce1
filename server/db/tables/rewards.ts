import { boolean, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant, points } from "../columns.ts";
import { memberId } from "./users.ts";

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
    userId: memberId(),
    campaignId: text("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    completedAt: instant("completed_at").notNull(),
    claimedAt: instant("claimed_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.campaignId] })],
);
