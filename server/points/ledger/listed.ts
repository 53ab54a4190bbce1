import { sql, type SQL } from "drizzle-orm";
import { ledgerDays, monthlyTables } from "../../db/schema.ts";
import type { PointsCategory } from "../contract.ts";

/** Since when heartbeats have their rows: null while none was ever taken away. */
const KEPT_FROM = sql`(select kept_from from ${monthlyTables} where name = 'points_ledger')`;

/** The same for a member: null while none of theirs was ever taken away. */
export const keptFromOf = (userId: SQL): SQL =>
  sql`(select ${KEPT_FROM} where exists (select from ${ledgerDays} where user_id = ${userId}))`;

/** An instant as the ledger names the slot of a heartbeat. */
const slotOf = (at: SQL) => sql`to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Holds for rows of the ledger that count by themselves: not for heartbeats of months that are in `ledger_days`, whose
 * rows may still be there.
 */
export const IS_LISTED = sql`(source <> 'heartbeat' or source_id ~>=~ (select coalesce(${slotOf(KEPT_FROM)}, '')))`;

/*
 * Conditions by which a ledger is divided. Added to a query, they let the planner leave out the months that cannot have
 * its rows. Their operators are those of the bounds, which no index has: they are not for finding rows.
 */

/** The only category with rows that are divided by month. */
export const CATEGORY_BY_MONTH: PointsCategory = "Connectivity";

/** Holds for rows that are not divided by month: the planner then leaves the months out. */
export const GOES_BY_NO_MONTH = sql`(source ~<~ 'heartbeat' or source ~>~ 'heartbeat')`;

/**
 * Holds for all rows that come in a range, and for others. A heartbeat comes within a day of its slot. Where the ends
 * of the range are parameters and not behind a `(select …)`, the other months are not even opened. The planner does not
 * look through `to_char`, so that it makes no plan of its own for each call.
 */
export const mayBeIn = (range: { from: SQL; until: SQL }): SQL => sql`(
  ${GOES_BY_NO_MONTH} or source = 'heartbeat'
  and source_id ~>=~ ${slotOf(sql`${range.from} - interval '24 hours'`)} and source_id ~<=~ ${slotOf(range.until)}
)`;
