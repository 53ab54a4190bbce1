import { and, count, desc, eq, inArray, lt, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { securityEvents } from "../db/schema.ts";
import { NOBODY } from "./nobody.ts";

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

type Pruning = { before: Date; nobodysBefore: Date; limit: number };

/** Events that are older than the triggers protect. */
export async function deleteOldEvents(db: Db, { before, nobodysBefore, limit }: Pruning): Promise<number> {
  let removed = 0;
  for (const old of [
    and(ne(securityEvents.userId, NOBODY), lt(securityEvents.occurredAt, before)),
    and(eq(securityEvents.userId, NOBODY), lt(securityEvents.occurredAt, nobodysBefore)),
  ]) {
    const ids = db.select({ id: securityEvents.id }).from(securityEvents).where(old).limit(limit);
    const { rowCount } = await db.delete(securityEvents).where(and(old, inArray(securityEvents.id, ids)));
    removed += rowCount ?? 0;
  }
  return removed;
}
