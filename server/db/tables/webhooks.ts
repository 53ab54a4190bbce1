import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** Ids of messages from outside that were taken in: each is, once. */
export const webhookMessages = pgTable(
  "webhook_messages",
  {
    id: text("id").primaryKey(),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [index("webhook_messages_received_at").on(table.receivedAt)],
);
