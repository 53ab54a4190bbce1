import { sql, type SQL } from "drizzle-orm";
import { monthlyTables } from "../../db/schema.ts";

/** Since when heartbeats have their rows: null while none was ever taken away. */
export const KEPT_FROM = sql`(select kept_from from ${monthlyTables} where name = 'points_ledger')`;

/** An instant as the ledger names the slot of a heartbeat. */
const slotOf = (at: SQL) => sql`to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Holds for rows of the ledger that count by themselves: not for heartbeats of months that are in `ledger_days`, whose
 * rows may still be there.
 */
export const IS_LISTED = sql`(source <> 'heartbeat' or source_id ~>=~ (select coalesce(${slotOf(KEPT_FROM)}, '')))`;

/**
 * Holds for all rows that come in a range, and for others: to be asked beside `occurred_at`, so that only the months of
 * the range are looked at where the ledger is divided. A heartbeat comes within a day of its slot. The operators are those
 * that months are made by, which no index has: rows are not to be looked for by this.
 */
export const mayBeIn = (range: { from: SQL; until: SQL }): SQL => sql`(
  source ~<~ 'heartbeat' or source ~>~ 'heartbeat' or source = 'heartbeat'
  and source_id ~>=~ ${slotOf(sql`${range.from} - interval '1 day'`)} and source_id ~<=~ ${slotOf(range.until)}
)`;
