import { sql } from "drizzle-orm";
import type { Db, Tx } from "./client.ts";

/** How far the clocks of two processes may differ, in milliseconds. */
export const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Returns the time by our clock or the database's, whichever is behind: a fast clock would delete rows too early, for
 * good.
 */
export async function readSlowerClock({ db, now }: { db: Db | Tx; now: () => Date }): Promise<Date> {
  const { rows } = await db.execute<{ time: number }>(
    sql`select (extract(epoch from least(${now().toISOString()}::timestamptz, now())) * 1000)::float8 as time`,
  );
  return rows[0] ? new Date(rows[0].time) : now();
}
