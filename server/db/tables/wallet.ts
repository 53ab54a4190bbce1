import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** Nonces of signed messages that have been used. The primary key makes each one single-use. */
export const walletNonceUses = pgTable(
  "wallet_nonce_uses",
  {
    nonce: text("nonce").primaryKey(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("wallet_nonce_uses_expires_at").on(table.expiresAt)],
);
