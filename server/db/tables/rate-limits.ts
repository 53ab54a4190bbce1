import { index, pgTable } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";

/** How much of a limit is used up: the instant at which none of it is. The key is a hash of what is limited. */
export const rateLimits = pgTable(
  "rate_limits",
  { key: bytes("key").primaryKey(), freeAt: instant("free_at").notNull() },
  (table) => [index("rate_limits_free_at").on(table.freeAt)],
);
