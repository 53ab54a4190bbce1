import { bigint, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** Tables that are divided by month: since when they have rows, and how far one that is being divided has come. */
export const monthlyTables = pgTable("monthly_tables", {
  name: text("name").primaryKey(),
  /** What was before is in sums alone. Null while nothing was taken away. */
  keptFrom: instant("kept_from"),
  /** The key of the last row that was copied. */
  copiedTo: jsonb("copied_to").$type<string[]>(),
  copied: bigint("copied", { mode: "number" }).notNull().default(0),
});
