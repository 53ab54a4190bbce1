import { expect } from "vitest";
import type { TestDatabase } from "./test-database.ts";

/** Watches which transactions wait for locks in a test's own PostgreSQL database. */
export function watchLocks({ pool }: Pick<TestDatabase, "pool">) {
  async function count(counting: string): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(`${counting} where datname = current_database()`);
    return rows[0]?.count ?? 0;
  }
  const countWaiting = () =>
    count("select (count(*) filter (where wait_event_type = 'Lock'))::integer as count from pg_stat_activity");
  /** Returns how many transactions have ever been ended by a deadlock. */
  const countDeadlocks = () => count("select deadlocks::integer as count from pg_stat_database");

  /**
   * Starts work that must wait for a lock, and resolves once it does. Returns its promise in an array: otherwise it
   * would be awaited here.
   */
  const block = async <Result>(work: () => Promise<Result>): Promise<[Promise<Result>]> => {
    const before = await countWaiting();
    const working = work();
    await expect.poll(countWaiting, { interval: 5 }).toBe(before + 1);
    return [working];
  };

  /** Holds the locks of a statement until the returned function is called. */
  const hold = async (statement: string): Promise<() => Promise<void>> => {
    const holder = await pool.connect();
    await holder.query(`begin; ${statement}`);
    return async () => {
      await holder.query("commit");
      holder.release();
    };
  };

  return { block, countDeadlocks, countWaiting, hold };
}
