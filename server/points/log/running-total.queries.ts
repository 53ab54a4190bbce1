import { sql, type SQL } from "drizzle-orm";
import { ledgerDays, pointsDaily, pointsLedger } from "../../db/schema.ts";
import { IS_LISTED } from "../ledger/listed.queries.ts";

/**
 * Computes the member's points after a ledger row, in the order of the log (occurred_at, id). Returns one row with
 * `total` and, if a category is given, `in_category`. Earlier days come from points_daily, a few rows per day. For the
 * row's own UTC day, it adds the sums of removed rows and the ledger's rows up to this one, by points_ledger_by_time.
 * So the cost depends on the member's days and one day's rows, however long the ledger is.
 */
export const runningTotal = (row: { userId: SQL; at: SQL; id: SQL; category?: SQL }): SQL => {
  const inCategory = row.category
    ? sql`, coalesce(sum(points) filter (where category = ${row.category}), 0) as part`
    : sql``;
  const day = sql`(${row.at} at time zone 'UTC')::date`;
  return sql`
    select before.total + gone.total + own_day.total as total
      ${row.category ? sql`, before.part + gone.part + own_day.part as in_category` : sql``}
    from (
      select coalesce(sum(points), 0) as total ${inCategory} from ${pointsDaily}
      where user_id = ${row.userId} and day < ${day}
    ) as before, (
      select coalesce(sum(points), 0) as total ${inCategory} from ${ledgerDays}
      where user_id = ${row.userId} and day = ${day}
    ) as gone, (
      select coalesce(sum(points), 0) as total ${inCategory} from ${pointsLedger}
      where user_id = ${row.userId} and occurred_at >= ${day}::timestamp at time zone 'UTC'
        and (occurred_at, id) <= (${row.at}, ${row.id}) and ${IS_LISTED}
    ) as own_day`;
};
