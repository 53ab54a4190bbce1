import { sql } from "drizzle-orm";
import { ledgerDays } from "../../db/schema.ts";
import type { MonthlyTable } from "../../months/monthly-table.ts";

/** Never rows of heartbeats: sources before "heartbeat" in the alphabet, and those after it. */
const REST = [
  ["points_ledger_rest_1", "(minvalue, minvalue) to ('heartbeat', minvalue)"],
  ["points_ledger_rest_2", "('heartbeat', maxvalue) to (maxvalue, maxvalue)"],
] as const;

/**
 * The ledger is divided by its events: those of heartbeats go by the month of their slot, with which their name begins,
 * and all others stay together (docs/decisions/0063).
 */
export const LEDGER: MonthlyTable = {
  name: "points_ledger",
  rows: "The ledger",
  key: [
    ["user_id", "uuid"],
    ["id", "uuid"],
  ],
  async create(tx) {
    // Of the old table's rows, which nobody writes at this moment.
    await tx.execute(sql`drop function if exists names_deleted_member(points_ledger)`);
    // Letter by letter, whatever the database's language: months are ranges of text. By hours, whatever its time zone:
    // a day may have 23.
    await tx.execute(sql`
      create table points_ledger_monthly (
        like points_ledger including defaults including constraints,
        constraint points_ledger_monthly_source_unique primary key (user_id, source, source_id),
        constraint points_ledger_user_id_users_id_fk foreign key (user_id) references users (id),
        constraint points_ledger_slot check (source <> 'heartbeat' or (
          source_id ~ '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'
          and occurred_at >= source_id::timestamptz and occurred_at < source_id::timestamptz + interval '24 hours'
        ))
      ) partition by range (source text_pattern_ops, source_id text_pattern_ops)`);
    await tx.execute(sql`create index points_ledger_monthly_by_id on points_ledger_monthly (user_id, id)`);
    await tx.execute(sql`
      create index points_ledger_monthly_by_time
      on points_ledger_monthly (user_id, occurred_at desc nulls last, id desc nulls last)`);
    await tx.execute(sql`
      create index points_ledger_monthly_by_category
      on points_ledger_monthly (user_id, category, occurred_at desc nulls last, id desc nulls last)`);
    await tx.execute(sql`
      create trigger points_ledger_append_only before update or delete on points_ledger_monthly
      for each row execute function refuse_ledger_change()`);
    for (const [name, values] of REST) {
      await tx.execute(sql.raw(`create table ${name} partition of points_ledger_monthly for values from ${values}`));
    }
    // Row by row it is passed on to every part; against truncate each has its own, and each month as it is made.
    for (const name of ["points_ledger_monthly", ...REST.map(([part]) => part)]) {
      await tx.execute(sql`
        create trigger points_ledger_no_truncate before truncate on ${sql.identifier(name)}
        for each statement execute function refuse_ledger_change()`);
    }
  },
  range: sql`
    select min(source_id)::timestamptz as first, max(source_id)::timestamptz as last
    from points_ledger where source = 'heartbeat'`,
  isAfterMembers: true,
  async sumUp(tx, { name }) {
    // A beat at the end of its slot may be of the next month's first day, whose sum then grows.
    await tx.execute(sql`
      insert into ${ledgerDays} as kept (user_id, day, category, points, entries)
      select user_id, (occurred_at at time zone 'UTC')::date, category, sum(points), count(*)
      from ${sql.identifier(name)} group by 1, 2, 3 order by 1, 2, 3
      on conflict (user_id, day, category) do update
      set points = kept.points + excluded.points, entries = kept.entries + excluded.entries`);
  },
};
