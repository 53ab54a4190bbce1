import { and, asc, between, desc, eq, gte, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { statusDays, statusIncidents, statusSamples, statusUpdates } from "../db/schema.ts";
import { DAY_SECONDS, endingAt, type Prunable } from "../jobs/prune.ts";
import { HISTORY_DAYS, type PartId } from "./contract.ts";

export type Sample = typeof statusSamples.$inferInsert;

/**
 * Saves what was seen in some minutes. There is one row for each part and minute. If several processes have checked, it
 * keeps the worst of what they saw.
 */
export async function saveSamples(tx: Tx, samples: Sample[]): Promise<void> {
  await tx
    .insert(statusSamples)
    .values(samples)
    .onConflictDoUpdate({
      target: [statusSamples.part, statusSamples.minute],
      set: {
        state: sql`greatest(${statusSamples.state}, excluded.state)`,
        lagMs: sql`greatest(${statusSamples.lagMs}, excluded.lag_ms)`,
      },
    });
}

/** Recounts the minutes of all days from a given time on. Running it again gives the same result. */
export async function countDays(tx: Tx, since: Date): Promise<void> {
  await tx.execute(sql`
    insert into ${statusDays} (part, day, up, degraded, down, since)
    select part, (minute at time zone 'UTC')::date, count(*) filter (where state = 0), count(*) filter (where state = 1),
      count(*) filter (where state = 2), min(minute)
    from ${statusSamples}
    where minute >= date_trunc('day', ${since.toISOString()}::timestamptz at time zone 'UTC') at time zone 'UTC'
    group by 1, 2 order by 1, 2
    on conflict (part, day) do update set up = excluded.up, degraded = excluded.degraded, down = excluded.down,
      since = excluded.since`);
}

export type DayRow = typeof statusDays.$inferSelect;

/** Returns all days that are kept, for each part the oldest first. */
export const findDays = (tx: Tx): Promise<DayRow[]> =>
  tx.select().from(statusDays).orderBy(asc(statusDays.part), asc(statusDays.day));

/**
 * Returns what any process has seen in a period. A process whose clock is ahead may have written later minutes, too.
 */
export const findSamples = (tx: Tx, { since, until }: { since: Date; until: Date }) =>
  tx
    .select()
    .from(statusSamples)
    .where(between(statusSamples.minute, since, until))
    .orderBy(asc(statusSamples.minute));

/** Counts the minutes of a period in which a part was seen and not down. */
export function countMinutesUp(db: Db, { part, since, until }: { part: PartId; since: Date; until: Date }) {
  const isSeen = and(eq(statusSamples.part, part), between(statusSamples.minute, since, until));
  return db.$count(statusSamples, and(isSeen, lt(statusSamples.state, 2)));
}

export type IncidentRow = typeof statusIncidents.$inferSelect;

/** Finds incidents that are open or were resolved lately, or a single one. The latest first, with their updates. */
export async function findIncidents(db: Db | Tx, wanted: { now: Date } | { id: string }) {
  const isWanted =
    "id" in wanted
      ? eq(statusIncidents.id, wanted.id)
      : or(isNull(statusIncidents.resolvedAt), gte(statusIncidents.resolvedAt, daysBefore(wanted.now, HISTORY_DAYS)));
  const found = await db
    .select({ incident: statusIncidents, update: statusUpdates })
    .from(statusIncidents)
    .innerJoin(statusUpdates, eq(statusUpdates.incidentId, statusIncidents.id))
    .where(isWanted)
    .orderBy(desc(statusIncidents.startedAt), desc(statusIncidents.id), desc(statusUpdates.at), desc(statusUpdates.id));
  return [...Map.groupBy(found, ({ incident }) => incident.id).values()].flatMap((rows) => {
    const [first] = rows;
    return first ? [{ ...first.incident, updates: rows.map(({ update }) => update) }] : [];
  });
}

/** Inserts an incident. Returns false if it exists already. */
export async function insertIncident(tx: Tx, row: typeof statusIncidents.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(statusIncidents).values(row).onConflictDoNothing();
  return rowCount === 1;
}

/** Inserts an update. Returns false if it exists already. */
export async function insertUpdate(tx: Tx, row: typeof statusUpdates.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(statusUpdates).values(row).onConflictDoNothing();
  return rowCount === 1;
}

/** Whether an update with this id has this text. */
export async function isUpdate(tx: Tx, { incidentId, id, text }: Omit<typeof statusUpdates.$inferInsert, "at">) {
  const isIt = and(eq(statusUpdates.incidentId, incidentId), eq(statusUpdates.id, id), eq(statusUpdates.text, text));
  return (await tx.$count(statusUpdates, isIt)) === 1;
}

/** Returns an incident and locks it, so that nobody else changes it until the transaction ends. */
export async function lockIncident(tx: Tx, id: string): Promise<IncidentRow | undefined> {
  const [found] = await tx.select().from(statusIncidents).where(eq(statusIncidents.id, id)).for("update");
  return found;
}

export async function changeIncident(tx: Tx, id: string, change: Partial<IncidentRow>): Promise<void> {
  await tx.update(statusIncidents).set(change).where(eq(statusIncidents.id, id));
}

/**
 * Minutes are removed once the counts of their day are final: no minute that is more than two days old is written
 * any more.
 */
export const OLD_SAMPLES = endingAt(statusSamples.minute, 3 * DAY_SECONDS);
export const WRITTEN_WITHIN_MS = 2 * DAY_SECONDS * 1000;

/**
 * Keeps the last day before the ones shown. Without it, missing minutes at the beginning would not count as an outage.
 */
export const OLD_DAYS: Prunable = {
  table: statusDays,
  isOver: (now) =>
    sql`${statusDays.day} < (select max(kept.day) from ${statusDays} as kept where kept.day < ${firstDayOf(now)})`,
};

export const OLD_INCIDENTS = endingAt(statusIncidents.resolvedAt, HISTORY_DAYS * DAY_SECONDS);

/** Returns the first day that is shown, in UTC. */
const firstDayOf = (now: Date): string =>
  daysBefore(now, HISTORY_DAYS - 1)
    .toISOString()
    .slice(0, 10);

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_SECONDS * 1000);
