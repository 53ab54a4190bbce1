import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** Bot-check tokens that have been used. The primary key makes each one single-use. */
export const botCheckUses = pgTable(
  "bot_check_uses",
  {
    tokenId: text("token_id").primaryKey(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("bot_check_uses_expires_at").on(table.expiresAt)],
);
