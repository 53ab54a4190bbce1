import { sql, type SQL } from "drizzle-orm";
import { ledgerDays, pointsDaily, pointsLedger } from "../../db/schema.ts";
import { IS_LISTED } from "../ledger/listed.ts";

/**
 * The member's points after a row of the ledger, in the log's order (occurred_at, id): one row of `total` and, where a
 * category is given, `in_category`. Whole days before come from points_daily, a few rows a day; of the row's own UTC
 * day the ledger's rows up to it are added by points_ledger_by_time, after what rows of it came to that are gone. So it
 * costs what a member's days and one day's rows cost, however long the ledger is.
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
