import { expect } from "vitest";
import type { TestDatabase } from "./test-database.ts";

/** Who waits for whom on a test's own database on PostgreSQL. */
export function watchLocks({ pool }: Pick<TestDatabase, "pool">) {
  async function count(counting: string): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(`${counting} where datname = current_database()`);
    return rows[0]?.count ?? 0;
  }
  const countWaiting = () =>
    count("select (count(*) filter (where wait_event_type = 'Lock'))::integer as count from pg_stat_activity");
  /** How many, ever, were ended because they waited for each other. */
  const countDeadlocks = () => count("select deadlocks::integer as count from pg_stat_database");

  /**
   * Begins something that has to wait for a lock; resolves once it does. In a list: by itself it would be waited for.
   */
  const block = async <Result>(work: () => Promise<Result>): Promise<[Promise<Result>]> => {
    const before = await countWaiting();
    const working = work();
    await expect.poll(countWaiting, { interval: 5 }).toBe(before + 1);
    return [working];
  };

  /** Holds what a statement locks, until what it returns is called. */
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
