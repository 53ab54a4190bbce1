import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { PoolerClient } from "../db/pooler-client.ts";
import { monthlyTables } from "../db/schema.ts";
import { setLockTimeout, LOCK_TIMEOUT_MS, startOfMonth, type Month } from "../db/months.ts";
import { limitStatements } from "../db/transaction.ts";
import type { MonthlyTable } from "./monthly-table.ts";

/** Returns the newest of these months that has rows. Months are created before they begin. */
export async function findNewest(db: Db, months: readonly Month[]): Promise<Month | undefined> {
  for (const month of months.toReversed()) {
    const { rows } = await db.execute(sql`select from ${sql.identifier(month.name)} limit 1`);
    if (rows.length > 0) return month;
  }
  return undefined;
}

/**
 * Records the sums of a month, and that its rows are no longer counted one by one, both or neither. This happens once,
 * however many processes try. It locks out writes to that month, but there are none, because such old heartbeats are no
 * longer accepted.
 */
export async function sumUpMonth(tx: Tx, { name, sumUp }: MonthlyTable, month: Month): Promise<void> {
  const isOf = eq(monthlyTables.name, name);
  await tx.execute(setLockTimeout());
  await tx.insert(monthlyTables).values({ name }).onConflictDoNothing();
  const [state] = await tx.select({ keptFrom: monthlyTables.keptFrom }).from(monthlyTables).where(isOf).for("update");
  if (state?.keptFrom && month.from < state.keptFrom) return;
  await tx.execute(sql`lock table ${sql.identifier(month.name)} in share mode`);
  await limitStatements(tx, 0);
  await sumUp(tx, month);
  await tx
    .update(monthlyTables)
    .set({ keptFrom: startOfMonth(month.from, 1) })
    .where(isOf);
}

/**
 * Detaches a month from the table. Others keep reading and writing meanwhile. It waits for transactions that began
 * earlier. If that takes too long, it stops halfway, and the next attempt continues.
 */
export async function detachMonth(db: Db, table: MonthlyTable, { isLeaving, name }: Month): Promise<void> {
  const detach = `alter table "${table.name}" detach partition "${name}"`;
  const rest = `${detach} finalize`;
  const client = await db.$client.connect();
  try {
    // A pooler runs each statement in a transaction, which rules out `concurrently`. Everybody waits for the table for
    // a moment.
    if (client instanceof PoolerClient) {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}; ${isLeaving ? rest : detach}`);
    } else {
      await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query(isLeaving ? rest : `${detach} concurrently`);
      await client.query("reset lock_timeout");
    }
    client.release();
  } catch (error) {
    // Discards the connection with its settings.
    client.release(true);
    throw error;
  }
}

/** Lists months that were detached and still exist as separate tables. */
export async function findDetached(db: Db, { name: table }: MonthlyTable): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = (select relnamespace from pg_class where oid = to_regclass(${table}))
      and relkind = 'r' and not relispartition and relname ~ ${`^${table}_[0-9]{4}_[0-9]{2}$`} order by 1`);
  return rows.map(({ name }) => name);
}

export async function dropMonth(tx: Tx, name: string): Promise<void> {
  await tx.execute(setLockTimeout());
  await tx.execute(sql`drop table ${sql.identifier(name)}`);
}
