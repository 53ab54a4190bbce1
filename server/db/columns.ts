import { sql } from "drizzle-orm";
import { customType, numeric, text, timestamp } from "drizzle-orm/pg-core";

/** All instants are timestamptz, to the millisecond. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
/** Points are numeric with two decimals: sums are exact. */
export const points = (name: string) => numeric(name, { precision: 16, scale: 2, mode: "number" });
/** A place in the log of PostgreSQL's writes, such as `0/16B3748`. */
export const logPosition = customType<{ data: string }>({ dataType: () => "pg_lsn" });
export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
/** Nonces of contracts are numbers of 256 bits. */
export const uint256 = (name: string) => numeric(name, { precision: 78, scale: 0 });
/** How far the ladder of resends has been climbed. */
export const resendState = () =>
  text("resend_state", { enum: ["INITIAL", "FIRST_RESEND", "SECOND_RESEND", "MAX_ATTEMPTS"] }).notNull();

/** A column by its name, as text, of what a part of a statement that is written by hand returns. */
export const column = (name: string) => sql<string>`${sql.identifier(name)}`.as(name);
