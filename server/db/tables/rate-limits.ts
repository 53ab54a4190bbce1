import { index, pgTable } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";

/**
 * How much of a limit is used up, stored as the time when all of it is available again. The key is a hash of what is
 * limited.
 */
export const rateLimits = pgTable(
  "rate_limits",
  { key: bytes("key").primaryKey(), freeAt: instant("free_at").notNull() },
  (table) => [index("rate_limits_free_at").on(table.freeAt)],
);
