import { and, count, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { securityEvents } from "../db/schema.ts";
import type { Prunable } from "../jobs/prune.ts";

/** Stands for the member if nobody has the address, so that recording an event costs the same either way. */
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

const eventsOf = prepared((db) => {
  const isTheirs = eq(securityEvents.userId, sql.placeholder("userId"));
  const event = db
    .select()
    .from(securityEvents)
    .where(isTheirs)
    // Ids are in the order of time (UUIDv7), and the primary key contains them.
    .orderBy(desc(securityEvents.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .as("event");
  return db
    .select({
      total: sql`(${db.select({ total: count() }).from(securityEvents).where(isTheirs)})`.mapWith(Number),
      id: event.id,
      kind: event.kind,
      device: event.device,
      network: event.network,
      occurredAt: event.occurredAt,
    })
    .from(sql`(select) as page`)
    .leftJoin(event, sql`true`)
    .orderBy(desc(event.id))
    .prepare("find_security_events");
});

/**
 * Finds a page of a member's events, newest first. Each row has the total. A page without events is one row that is
 * otherwise empty.
 */
export const findEvents = (db: Db, asked: { userId: string; limit: number; offset: number }) =>
  eventsOf(db).execute(asked);

/** Events that the triggers no longer protect. Uses the database's clock, as the triggers do. */
const olderThan = (days: number, isMeant?: SQL): Prunable => ({
  table: securityEvents,
  isOver: () => and(lt(securityEvents.occurredAt, sql`now() - ${`${days} days`}::interval`), isMeant),
});

/** Events to delete after this many days. At least a year: the triggers allow nothing earlier. */
export const oldEvents = (days: number) => olderThan(days);
export const OLD_EVENTS_OF_NOBODY = olderThan(30, eq(securityEvents.userId, NOBODY));
