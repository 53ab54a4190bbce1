import { and, eq, gt, isNull, notExists, sql } from "drizzle-orm";
import { WEBHOOK } from "../announcements/announce.queries.ts";
import type { Db, Tx } from "../db/client.ts";
import { backgroundJobs, webhookDeliveries, webhookEndpoints, webhookEvents } from "../db/schema.ts";
import { dueAtOnce } from "../jobs/queries.ts";
import { findRequestId } from "../log/current-request.ts";
import { isState, type Waiting } from "./outgoing.queries.ts";

/*
 * Messages that wait without a job, because their webhook is or was paused. To create one, or to end the job that sends
 * them, code locks the endpoint's row first. So no message is left behind between the two.
 */

/**
 * The kind of job that sends the messages which waited while a webhook was paused. Its key is the webhook's id; its
 * payload is the id of the event it has reached.
 */
export const WEBHOOK_BACKLOG = "webhook-backlog";

/** Returns whether a webhook is paused, and locks that state until the transaction ends. */
export async function lockPausedState(tx: Tx, endpointId: string): Promise<boolean> {
  const [found] = await tx
    .select({ pausedAt: webhookEndpoints.pausedAt })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpointId))
    .for("share");
  return found !== undefined && found.pausedAt !== null;
}

const jobKey = sql`${webhookDeliveries.endpointId} || ' ' || ${webhookDeliveries.eventId}`;
const isItsJob = and(eq(backgroundJobs.kind, WEBHOOK), eq(backgroundJobs.key, jobKey));

/**
 * Returns the oldest message that waits without a job. Undefined if there is none, or if the webhook is paused or
 * removed.
 */
export async function findHeld(db: Db | Tx, endpointId: string, after?: string): Promise<Waiting | undefined> {
  const [found] = await describeHeld(db, endpointId, after);
  return found;
}

/**
 * Builds the query of `findHeld`. With `after`, only later events count. Each message it passes over costs a lookup
 * among the jobs.
 */
export const describeHeld = (db: Db | Tx, endpointId: string, after?: string) =>
  db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints, event: webhookEvents })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        isState("waiting"),
        after === undefined ? undefined : gt(webhookDeliveries.eventId, after),
        isNull(webhookEndpoints.pausedAt),
        isNull(webhookEndpoints.removedAt),
        notExists(db.select({ key: backgroundJobs.key }).from(backgroundJobs).where(isItsJob)),
      ),
    )
    .orderBy(webhookDeliveries.eventId)
    .limit(1);

/** Deletes the jobs of a webhook's waiting messages, except those that a worker already holds. */
export async function dropJobs(tx: Tx, endpointId: string): Promise<void> {
  await tx.execute(sql`
    delete from ${backgroundJobs} using ${webhookDeliveries}
    where ${and(isItsJob, isNull(backgroundJobs.lease), eq(webhookDeliveries.endpointId, endpointId), isState("waiting"))}`);
}

/**
 * Queues the job that sends the messages that wait without one, from the oldest on. A job that is already running just
 * continues.
 */
export async function queueBacklog(tx: Tx, endpointId: string, now: Date): Promise<void> {
  const due = { dueAt: dueAtOnce(now), requestId: findRequestId(), attempts: 0, payload: null };
  await tx
    .insert(backgroundJobs)
    .values({ kind: WEBHOOK_BACKLOG, key: endpointId, ...due })
    .onConflictDoUpdate({
      target: [backgroundJobs.kind, backgroundJobs.key],
      set: due,
      setWhere: isNull(backgroundJobs.lease),
    });
}

export const countWaiting = (tx: Tx, endpointId: string): Promise<number> =>
  tx.$count(webhookDeliveries, and(eq(webhookDeliveries.endpointId, endpointId), isState("waiting")));

export type Held = { held: number; oldestSeconds: number };

/**
 * Counts the messages that wait for paused webhooks, and the seconds since the first of their events. Both are 0 if
 * there are none. Takes the first by its id, which grows with time: the index that finds it also counts.
 */
export async function countHeld(tx: Tx, now: Date): Promise<Held> {
  const isWaiting = sql`delivery.delivered_at is null and delivery.given_up_at is null`;
  const { rows } = await tx.execute<Held>(sql`
    select coalesce(sum(waiting.count), 0)::integer as held,
      coalesce(greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - min(event.at))), 0)::float8
        as "oldestSeconds"
    from ${webhookEndpoints} as endpoint
    cross join lateral (
      select count(*) as count from ${webhookDeliveries} as delivery
      where delivery.endpoint_id = endpoint.id and ${isWaiting}
    ) as waiting
    left join lateral (
      select event.at from ${webhookDeliveries} as delivery
      join ${webhookEvents} as event on event.id = delivery.event_id
      where delivery.endpoint_id = endpoint.id and ${isWaiting}
      order by delivery.event_id limit 1
    ) as event on true
    where endpoint.paused_at is not null and endpoint.removed_at is null`);
  return rows[0] ?? { held: 0, oldestSeconds: 0 };
}
