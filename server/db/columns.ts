import { sql } from "drizzle-orm";
import { customType, numeric, text, timestamp } from "drizzle-orm/pg-core";

/** An instant, as timestamptz with millisecond precision. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
/** An amount of points, as numeric with two decimals, so that sums are exact. */
export const points = (name: string) => numeric(name, { precision: 16, scale: 2, mode: "number" });
/** A position in PostgreSQL's write-ahead log, such as `0/16B3748`. */
export const logPosition = customType<{ data: string }>({ dataType: () => "pg_lsn" });
export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
/** A nonce of a contract: a number of 256 bits. */
export const uint256 = (name: string) => numeric(name, { precision: 78, scale: 0 });
/** How far the resend ladder has been climbed. */
export const resendState = () =>
  text("resend_state", { enum: ["INITIAL", "FIRST_RESEND", "SECOND_RESEND", "MAX_ATTEMPTS"] }).notNull();

/** Refers by name to a column, read as text, that a hand-written part of a statement returns. */
export const column = (name: string) => sql<string>`${sql.identifier(name)}`.as(name);
