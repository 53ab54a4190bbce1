import { max, min, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { heartbeats, monthlyTables } from "../db/schema.ts";
import { addMonth, notForLong } from "../db/months.ts";

/*
 * Dividing heartbeats by month while the server writes them. Beside `heartbeats` there is `heartbeats_monthly`, which a
 * trigger keeps in step with every change from its beginning; what was there before is copied; then they change places.
 */

export const NAME = "heartbeats";

export async function isBegun(db: Db | Tx): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(sql`select to_regclass('heartbeats_monthly') is not null as "is"`);
  return rows[0]?.is ?? false;
}

/**
 * Makes the new table, with room for what comes in these months and nothing in it, and has every change from now on made
 * there, too: all or nothing. Whoever may use the one may use the other.
 */
export async function begin(tx: Tx, months: Date[]): Promise<void> {
  await tx.execute(notForLong());
  // Before what is looked at again: two who begin at once.
  await tx.execute(sql`lock table heartbeats in share row exclusive mode`);
  if (await isBegun(tx)) return;
  await tx.execute(sql`
    create table heartbeats_monthly (
      like heartbeats including defaults including constraints,
      constraint heartbeats_monthly_pk primary key (user_id, slot_at),
      constraint heartbeats_monthly_users_fk foreign key (user_id) references users (id)
    ) partition by range (slot_at)`);
  await tx.execute(sql`
    do $$
    declare
      may record;
    begin
      for may in select (aclexplode(relacl)).* from pg_class where oid = 'heartbeats'::regclass loop
        execute format('grant %s on heartbeats_monthly to %s', may.privilege_type,
          case may.grantee when 0 then 'public' else may.grantee::regrole::text end);
      end loop;
    end $$`);
  for (const month of months) await addMonth(tx, "heartbeats_monthly", month);
  await tx.execute(sql`
    create function mirror_heartbeat() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        delete from heartbeats_monthly where user_id = old.user_id and slot_at = old.slot_at;
      end if;
      if tg_op <> 'DELETE' then
        insert into heartbeats_monthly values (new.*) on conflict do nothing;
      end if;
      return null;
    end $$`);
  await tx.execute(sql`
    create trigger heartbeats_mirror after insert or update or delete on heartbeats
    for each row execute function mirror_heartbeat()`);
  await tx
    .insert(monthlyTables)
    .values({ name: NAME })
    .onConflictDoUpdate({
      target: monthlyTables.name,
      set: { copiedTo: null, copied: 0 },
    });
}

/** The first and the last slot that there are, where there is any. */
export async function findRange(db: Db): Promise<{ first: Date; last: Date } | undefined> {
  const [found] = await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    return tx.select({ first: min(heartbeats.slotAt), last: max(heartbeats.slotAt) }).from(heartbeats);
  });
  return found?.first && found.last ? { first: found.first, last: found.last } : undefined;
}

export type Progress = { copied: number; isWhole: boolean };

/**
 * Copies the next rows in the order of their key, and how far that is, both or neither. Who would change or remove one of
 * them waits until they are there, and then does it there, too.
 */
export async function copyNext(tx: Tx, limit: number): Promise<Progress> {
  const [state] = await tx
    .select()
    .from(monthlyTables)
    .where(sql`${monthlyTables.name} = ${NAME}`)
    .for("update");
  if (!state) throw new Error("Nobody has begun to divide the heartbeats");
  const [userId, slotAt] = state.copiedTo ?? [];
  const after = userId ? sql`where (user_id, slot_at) > (${userId}::uuid, ${slotAt}::timestamptz)` : sql``;
  const { rows } = await tx.execute<{ count: number; last: string[] | null }>(sql`
    with batch as materialized (
      select * from heartbeats ${after} order by user_id, slot_at limit ${limit} for share
    ), copied as (
      insert into heartbeats_monthly select * from batch on conflict do nothing
    )
    select count(*)::integer as count,
      (select array[user_id::text, slot_at::text] from batch order by user_id desc, slot_at desc limit 1) as last
    from batch`);
  const { count = 0, last = null } = rows[0] ?? {};
  const copied = state.copied + count;
  if (last) {
    await tx
      .update(monthlyTables)
      .set({ copied, copiedTo: last })
      .where(sql`${monthlyTables.name} = ${NAME}`);
  }
  return { copied, isWhole: count < limit };
}

/** How many rows one of the two has that the other one has not, in one picture of both. */
export async function countDifferences(tx: Tx): Promise<number> {
  await tx.execute(sql`set local statement_timeout = 0`);
  const { rows } = await tx.execute<{ count: number }>(sql`
    select count(*)::integer as count
    from heartbeats as one full join heartbeats_monthly as other using (user_id, slot_at)
    where (one.beat_at, one.received_at, one.device_id) is distinct from (other.beat_at, other.received_at, other.device_id)
      or one.beat_at is null or other.beat_at is null`);
  return rows[0]?.count ?? 0;
}

/**
 * Lets the two change places and drops the old one. Heartbeats first, then members: in the order in which a beat takes
 * them, so that none that is under way waits for this in a circle.
 */
export async function swap(tx: Tx, patience: number): Promise<void> {
  await tx.execute(notForLong(patience));
  await tx.execute(sql`lock table heartbeats in access exclusive mode`);
  await tx.execute(sql`lock table heartbeats_monthly in access exclusive mode`);
  await tx.execute(sql`drop table heartbeats`);
  await tx.execute(sql`drop function mirror_heartbeat()`);
  await tx.execute(sql`alter table heartbeats_monthly rename to heartbeats`);
  await tx.execute(
    sql`alter table heartbeats rename constraint heartbeats_monthly_pk to heartbeats_user_id_slot_at_pk`,
  );
  await tx.execute(
    sql`alter table heartbeats rename constraint heartbeats_monthly_users_fk to heartbeats_user_id_users_id_fk`,
  );
  await tx
    .update(monthlyTables)
    .set({ copiedTo: null })
    .where(sql`${monthlyTables.name} = ${NAME}`);
}
