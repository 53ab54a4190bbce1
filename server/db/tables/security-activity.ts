import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/**
 * What happened to an account, and from where. Triggers reject update and truncate, and delete within a year. Not a
 * foreign key to `users`: a failed sign-in to an unknown address is recorded too, at the same cost.
 */
export const securityEvents = pgTable(
  "security_events",
  {
    userId: uuid("user_id").notNull(),
    id: uuid("id").notNull(),
    kind: text("kind").notNull(),
    device: text("device").notNull(),
    network: text("network"),
    occurredAt: instant("occurred_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index("security_events_occurred_at").on(table.occurredAt),
    /** Rows of unknown addresses, which are deleted much earlier than all others. */
    index("security_events_of_nobody")
      .on(table.occurredAt)
      .where(sql`${table.userId} = '00000000-0000-0000-0000-000000000000'`),
  ],
);
