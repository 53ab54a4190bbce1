import { sql } from "drizzle-orm";
import { ledgerDays } from "../../db/schema.ts";
import type { MonthlyTable } from "../../months/monthly-table.ts";

/** These partitions never have heartbeats: they hold the sources before and after "heartbeat" in the alphabet. */
const REST = [
  ["points_ledger_rest_1", "(minvalue, minvalue) to ('heartbeat', minvalue)"],
  ["points_ledger_rest_2", "('heartbeat', maxvalue) to (maxvalue, maxvalue)"],
] as const;

/**
 * The ledger is partitioned by event. Heartbeats go by the month of their slot, which is their `source_id`. Everything
 * else stays together (docs/decisions/0063).
 */
export const LEDGER: MonthlyTable = {
  name: "points_ledger",
  rows: "The ledger",
  key: [
    ["user_id", "uuid"],
    ["id", "uuid"],
  ],
  async create(tx) {
    // This function takes a row of the old table, and would keep it from being dropped. Nobody writes now, so nothing
    // calls it.
    await tx.execute(sql`drop function if exists names_deleted_member(points_ledger)`);
    // Compares byte by byte, whatever the database's collation: months are ranges of text. Adds 24 hours instead of a
    // day, which may have 23 in the database's time zone.
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
    // Partitions inherit row triggers, but not the one against truncate. Each gets its own here, and each new month
    // when it is created.
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
    // A heartbeat at the end of its slot may be on the first day of the next month. That day's sum then grows.
    await tx.execute(sql`
      insert into ${ledgerDays} as kept (user_id, day, category, points, entries)
      select user_id, (occurred_at at time zone 'UTC')::date, category, sum(points), count(*)
      from ${sql.identifier(name)} group by 1, 2, 3 order by 1, 2, 3
      on conflict (user_id, day, category) do update
      set points = kept.points + excluded.points, entries = kept.entries + excluded.entries`);
  },
};
