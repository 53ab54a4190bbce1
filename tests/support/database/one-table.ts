import type { Pool } from "pg";

/** Moves heartbeats into a single table, as in an older database that was already large. */
export async function unpartitionHeartbeats(pool: Pool): Promise<void> {
  await pool.query(`begin;
    create table before (like heartbeats including defaults including constraints);
    insert into before select * from heartbeats;
    drop table heartbeats;
    alter table before rename to heartbeats;
    alter table heartbeats add constraint heartbeats_user_id_slot_at_pk primary key (user_id, slot_at);
    alter table heartbeats add constraint heartbeats_user_id_users_id_fk foreign key (user_id) references users (id);
    commit`);
}
