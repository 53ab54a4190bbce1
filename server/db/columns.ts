import { customType, numeric, timestamp } from "drizzle-orm/pg-core";

/** All instants are timestamptz, to the millisecond. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
/** Points are numeric with two decimals: sums are exact. */
export const points = (name: string) => numeric(name, { precision: 16, scale: 2, mode: "number" });
export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
