import { sql, type SQL } from "drizzle-orm";
import { monthlyTables } from "../../db/schema.ts";

/** Since when heartbeats have their rows: null while none was ever taken away. */
export const KEPT_FROM = sql`(select kept_from from ${monthlyTables} where name = 'points_ledger')`;

/** An instant as the ledger names the slot of a heartbeat. */
const slotOf = (at: SQL) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Holds for rows of the ledger that count by themselves: not for heartbeats of months that are in `ledger_days`, whose
 * rows may be there still. With a range it leaves rows of heartbeats out that are not in it, so that only its months are
 * looked at where the ledger is divided: a heartbeat comes within a day of its slot. It has to be asked for beside
 * `occurred_at`, for the other rows.
 */
export const isListed = (range?: { from: SQL; until: SQL }): SQL => sql`(
  source < 'heartbeat' or source > 'heartbeat' or source = 'heartbeat'
  ${
    range
      ? sql`and source_id >= ${slotOf(sql`greatest(${range.from} - interval '1 day', ${KEPT_FROM})`)}
        and source_id <= ${slotOf(range.until)}`
      : sql`and source_id >= (select coalesce(${slotOf(KEPT_FROM)}, ''))`
  })`;
