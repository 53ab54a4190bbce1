import { and, count, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { securityEvents } from "../db/schema.ts";
import type { Prunable } from "../jobs/prune.ts";

/** Stands for the member where an address has none, so that what is written down costs the same for both. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

const insertion = prepared((db) =>
  db
    .insert(securityEvents)
    .values({
      userId: sql.placeholder("userId"),
      id: sql.placeholder("id"),
      kind: sql.placeholder("kind"),
      device: sql.placeholder("device"),
      network: sql.placeholder("network"),
      occurredAt: sql.placeholder("occurredAt"),
    })
    .prepare("insert_security_event"),
);

export async function insertEvent(db: Db | Tx, event: typeof securityEvents.$inferInsert): Promise<void> {
  await insertion(db).execute(event);
}

/** A page of a member's events, newest first, and how many there are in all. */
export async function findEvents(db: Db, { userId, limit, offset }: { userId: string; limit: number; offset: number }) {
  const events = await db
    .select()
    .from(securityEvents)
    .where(eq(securityEvents.userId, userId))
    // Ids are in the order of time (UUIDv7), and the primary key has them.
    .orderBy(desc(securityEvents.id))
    .limit(limit)
    .offset(offset);
  const [sums] = await db.select({ total: count() }).from(securityEvents).where(eq(securityEvents.userId, userId));
  return { events, total: sums?.total ?? 0 };
}

/** Events that the triggers protect no longer: by the database's clock, which is theirs. */
const olderThan = (age: string, isMeant?: SQL): Prunable => ({
  table: securityEvents,
  isOver: () => and(lt(securityEvents.occurredAt, sql`now() - ${age}::interval`), isMeant),
});

export const OLD_EVENTS = olderThan("365 days");
export const OLD_EVENTS_OF_NOBODY = olderThan("30 days", eq(securityEvents.userId, NOBODY));
