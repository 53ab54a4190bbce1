import { sql, type SQL } from "drizzle-orm";
import { ledgerDays, monthlyTables } from "../../db/schema.ts";
import type { PointsCategory } from "../contract.ts";

/** Since when heartbeats have rows. Null if none were ever removed. */
const KEPT_FROM = sql`(select kept_from from ${monthlyTables} where name = 'points_ledger')`;

/** The same for one member. Null if none of theirs were ever removed. */
export const keptFromOf = (userId: SQL): SQL =>
  sql`(select ${KEPT_FROM} where exists (select from ${ledgerDays} where user_id = ${userId}))`;

/** Formats an instant in the way the ledger names the slot of a heartbeat. */
const slotOf = (at: SQL) => sql`to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * True for ledger rows that count individually. False for heartbeats of months that are summed up in `ledger_days`,
 * whose rows may still exist.
 */
export const IS_LISTED = sql`(source <> 'heartbeat' or source_id ~>=~ (select coalesce(${slotOf(KEPT_FROM)}, '')))`;

/*
 * Conditions on the columns that a ledger is partitioned by. In a query, they let the planner skip months that cannot
 * contain its rows. They use the operators of the partition bounds, which no index supports, so they are not for
 * finding rows.
 */

/** The only category whose rows are partitioned by month. */
export const CATEGORY_BY_MONTH: PointsCategory = "Connectivity";

/** True for rows that are not partitioned by month, so that the planner skips the months. */
export const IS_UNPARTITIONED = sql`(source ~<~ 'heartbeat' or source ~>~ 'heartbeat')`;

/**
 * True for every row in a range, and for some others, because a heartbeat happens within a day of its slot. If the ends
 * of the range are parameters and not inside a `(select …)`, the other months are not even opened. The planner does not
 * look inside `to_char`, so it does not make a new plan for each call.
 */
export const mayBeIn = (range: { from: SQL; until: SQL }): SQL => sql`(
  ${IS_UNPARTITIONED} or source = 'heartbeat'
  and source_id ~>=~ ${slotOf(sql`${range.from} - interval '24 hours'`)} and source_id ~<=~ ${slotOf(range.until)}
)`;
