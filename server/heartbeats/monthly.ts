import { sql } from "drizzle-orm";
import { heartbeatMonths } from "../db/schema.ts";
import type { MonthlyTable } from "../months/monthly-table.ts";

/** Heartbeats are partitioned by the month of their slot, which is part of their primary key (docs/decisions/0062). */
export const HEARTBEATS: MonthlyTable = {
  name: "heartbeats",
  rows: "Heartbeats",
  key: [
    ["user_id", "uuid"],
    ["slot_at", "timestamptz"],
  ],
  async create(tx) {
    await tx.execute(sql`
      create table heartbeats_monthly (
        like heartbeats including defaults including constraints,
        constraint heartbeats_monthly_user_id_slot_at_pk primary key (user_id, slot_at),
        constraint heartbeats_user_id_users_id_fk foreign key (user_id) references users (id)
      ) partition by range (slot_at)`);
  },
  range: sql`select min(slot_at) as first, max(slot_at) as last from heartbeats`,
  async sumUp(tx, { from, name }) {
    const month = from.toISOString().slice(0, 10);
    await tx.execute(sql`
      insert into ${heartbeatMonths} (user_id, month, heartbeats, first_slot_at, last_beat_at)
      select user_id, ${month}::date, count(*), min(slot_at), max(beat_at)
      from ${sql.identifier(name)} group by 1 order by 1`);
  },
};
