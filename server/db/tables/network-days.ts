import { bigint, date, integer, pgTable } from "drizzle-orm/pg-core";
import { instant, points } from "../columns.ts";

/** What happened in the network on a UTC day, summed over everybody by a job: nobody counts whole tables for a page. */
export const networkDays = pgTable("network_days", {
  day: date("day", { mode: "string" }).primaryKey(),
  joined: integer("joined").notNull(),
  /** Accounts that were deleted. */
  left: integer("left").notNull(),
  connectivity: points("connectivity").notNull(),
  referral: points("referral").notNull(),
  rewards: points("rewards").notNull(),
  others: points("others").notNull(),
  /** Rewards for campaigns and for friends. */
  claims: bigint("claims", { mode: "number" }).notNull(),
  /** Members whose nodes were heard in the hour and the day before the sums were made. */
  heardInHour: integer("heard_in_hour").notNull(),
  heardInDay: integer("heard_in_day").notNull(),
  summedAt: instant("summed_at").notNull(),
});
