import { bigint, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** Tables that are partitioned by month: how far back their rows go, and how far a conversion in progress has got. */
export const monthlyTables = pgTable("monthly_tables", {
  name: text("name").primaryKey(),
  /** Earlier rows exist only as sums. Null if none were removed. */
  keptFrom: instant("kept_from"),
  /** The key of the last row that was copied. */
  copiedTo: jsonb("copied_to").$type<string[]>(),
  copied: bigint("copied", { mode: "number" }).notNull().default(0),
});
