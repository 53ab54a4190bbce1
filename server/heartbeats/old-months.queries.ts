import { sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { PoolerClient } from "../db/pooler-client.ts";
import { heartbeatMonths, monthlyTables } from "../db/schema.ts";
import { notForLong, PATIENCE_MS, type Month } from "../db/months.ts";

/** Since when every heartbeat is there. Null while none was ever taken away. */
export async function findKeptFrom(db: Db): Promise<Date | null> {
  const found = await db.query.monthlyTables.findFirst({ where: sql`${monthlyTables.name} = 'heartbeats'` });
  return found?.keptFrom ?? null;
}

/**
 * Writes down what a month came to, and that it is no longer counted row by row, both or neither. Whoever would still
 * write into that month waits meanwhile, which is nobody: what is so old no longer counts.
 */
export async function sumUpMonth(tx: Tx, { name, from }: Month, keptFrom: Date): Promise<void> {
  await tx.execute(notForLong());
  await tx.execute(sql`lock table ${sql.identifier(name)} in share mode`);
  await tx.execute(sql`set local statement_timeout = 0`);
  const month = from.toISOString().slice(0, 10);
  await tx.execute(sql`
    insert into ${heartbeatMonths} (user_id, month, heartbeats, first_slot_at, last_beat_at)
    select user_id, ${month}::date, count(*), min(slot_at), max(beat_at)
    from ${sql.identifier(name)} group by 1 order by 1`);
  await tx
    .insert(monthlyTables)
    .values({ name: "heartbeats", keptFrom })
    .onConflictDoUpdate({ target: monthlyTables.name, set: { keptFrom } });
}

/**
 * Takes a month out of the table. Others read and write on meanwhile: those who began before are waited for, and where
 * that takes too long it is left half done, for the next time.
 */
export async function detachMonth(db: Db, { isLeaving, name }: Month): Promise<void> {
  const detach = `alter table heartbeats detach partition "${name}"`;
  const client = await db.$client.connect();
  try {
    // Through a pooler each statement is in a transaction: then the table is everybody's to wait for, for a moment.
    if (client instanceof PoolerClient) await client.query(`set local lock_timeout = ${PATIENCE_MS}; ${detach}`);
    else {
      await client.query(`set lock_timeout = ${PATIENCE_MS}`);
      await client.query(`${detach} ${isLeaving ? "finalize" : "concurrently"}`);
      await client.query("reset lock_timeout");
    }
    client.release();
  } catch (error) {
    // With its settings.
    client.release(true);
    throw error;
  }
}

/** Months that were taken out of the table and are still there, as tables of their own. */
export async function findDetached(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = (select relnamespace from pg_class where oid = to_regclass('heartbeats'))
      and relkind = 'r' and not relispartition and relname ~ '^heartbeats_[0-9]{4}_[0-9]{2}$' order by 1`);
  return rows.map(({ name }) => name);
}

export async function dropMonth(db: Db, name: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(notForLong());
    await tx.execute(sql`drop table ${sql.identifier(name)}`);
  });
}
