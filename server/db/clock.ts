import { sql } from "drizzle-orm";
import type { Db, Tx } from "./client.ts";

/** How far the clocks of processes may be apart, in milliseconds. */
export const CLOCKS_APART = 60_000;

/** The present by our clock or by the database's, whichever is behind: what a fast clock removes is lost for good. */
export async function readSlowerClock({ db, now }: { db: Db | Tx; now: () => Date }): Promise<Date> {
  const { rows } = await db.execute<{ time: number }>(
    sql`select (extract(epoch from least(${now().toISOString()}::timestamptz, now())) * 1000)::float8 as time`,
  );
  return rows[0] ? new Date(rows[0].time) : now();
}
