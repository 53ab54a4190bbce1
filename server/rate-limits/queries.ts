import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { prepared } from "../db/prepared.ts";
import { rateLimits } from "../db/schema.ts";
import { endingAt } from "../jobs/prune.ts";

type Taking = { key: Buffer; burst: number; seconds: number; now: Date };

/**
 * A limit can be used up for at most its own span, and the clocks of processes differ by less than a minute. A later
 * time was written by a clock that was ahead. Then this attempt is let through, and the limit counts as used up from
 * now on.
 */
const taking = prepared((db) => {
  const now = sql`${sql.placeholder("now")}::timestamptz`;
  const step = sql`${sql.placeholder("seconds")}::integer * interval '1 second'`;
  const span = sql`${sql.placeholder("span")}::integer * interval '1 second'`;
  const isAhead = sql`${rateLimits.freeAt} > ${now} + ${span} + ${MAX_CLOCK_SKEW_MS} * interval '1 millisecond'`;
  const next = sql`case when ${isAhead} then ${now} + ${span} else greatest(${rateLimits.freeAt}, ${now}) + ${step} end`;
  return db
    .insert(rateLimits)
    .values({ key: sql.placeholder("key"), freeAt: sql`${now} + ${step}` })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { freeAt: next },
      setWhere: sql`${next} <= ${now} + ${span}`,
    })
    .returning({ freeAt: rateLimits.freeAt })
    .prepare("take_from_limit");
});

/** Takes one attempt from a limit. Returns false if nothing is left. */
export async function takeFromLimit(db: Db | Tx, { key, burst, seconds, now }: Taking): Promise<boolean> {
  const taken = await taking(db).execute({ key, now: now.toISOString(), seconds, span: burst * seconds });
  return taken.length === 1;
}

export async function readFreeAt(db: Db | Tx, key: Buffer): Promise<Date | undefined> {
  const [limit] = await db.select({ freeAt: rateLimits.freeAt }).from(rateLimits).where(eq(rateLimits.key, key));
  return limit?.freeAt;
}

export async function releaseLimit(db: Db | Tx, key: Buffer): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key));
}

/** Limits of which nothing is used up any more. */
export const UNUSED_LIMITS = endingAt(rateLimits.freeAt);
