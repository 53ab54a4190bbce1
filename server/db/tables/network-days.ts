import { bigint, date, integer, pgTable } from "drizzle-orm/pg-core";
import { instant, points } from "../columns.ts";

/** Activity in the whole network on a UTC day. A job computes the sums, so that no page has to count whole tables. */
export const networkDays = pgTable("network_days", {
  day: date("day", { mode: "string" }).primaryKey(),
  joined: integer("joined").notNull(),
  /** How many accounts were deleted. */
  left: integer("left").notNull(),
  connectivity: points("connectivity").notNull(),
  referral: points("referral").notNull(),
  rewards: points("rewards").notNull(),
  others: points("others").notNull(),
  /** How many rewards were claimed, for heartbeats, campaigns and friends. */
  claims: bigint("claims", { mode: "number" }).notNull(),
  /** How many members' nodes were heard from in the hour and in the day before the sums were computed. */
  heardInHour: integer("heard_in_hour").notNull(),
  heardInDay: integer("heard_in_day").notNull(),
  summedAt: instant("summed_at").notNull(),
});
