import { and, eq, gt, isNull, notExists, sql } from "drizzle-orm";
import { WEBHOOK } from "../announcements/announce.ts";
import type { Db, Tx } from "../db/client.ts";
import { backgroundJobs, webhookDeliveries, webhookEndpoints, webhookEvents } from "../db/schema.ts";
import { dueAtOnce } from "../jobs/queries.ts";
import { findRequestId } from "../log/current-request.ts";
import { isState, type Waiting } from "./outgoing.queries.ts";

/*
 * Messages that wait without a job: those of a webhook that is, or was, paused. Whoever makes one, and whoever ends the
 * job that sends them, has the endpoint's row: none is left over between the two.
 */

/**
 * The kind of job that sends a webhook what waited while it was paused, by the webhook's id. Its payload is the id of
 * the event that it has come to.
 */
export const WEBHOOK_BACKLOG = "webhook-backlog";

/** Whether a webhook is paused, which it stays, or does not become, until the transaction ends. */
export async function holdPause(tx: Tx, endpointId: string): Promise<boolean> {
  const [found] = await tx
    .select({ pausedAt: webhookEndpoints.pausedAt })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpointId))
    .for("share");
  return found !== undefined && found.pausedAt !== null;
}

const jobKey = sql`${webhookDeliveries.endpointId} || ' ' || ${webhookDeliveries.eventId}`;
const isItsJob = and(eq(backgroundJobs.kind, WEBHOOK), eq(backgroundJobs.key, jobKey));

/** The oldest message that waits without a job; undefined where there is none, or nothing is to be sent. */
export async function findHeld(db: Db | Tx, endpointId: string, after?: string): Promise<Waiting | undefined> {
  const [found] = await describeHeld(db, endpointId, after);
  return found;
}

/** `after`: of later events alone. Each message before the one that is found is looked up among the jobs. */
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

/** Takes the jobs away of what waits for a webhook. What somebody has in hand is left to them. */
export async function dropJobs(tx: Tx, endpointId: string): Promise<void> {
  await tx.execute(sql`
    delete from ${backgroundJobs} using ${webhookDeliveries}
    where ${and(isItsJob, isNull(backgroundJobs.lease), eq(webhookDeliveries.endpointId, endpointId), isState("waiting"))}`);
}

/** Has what waits without a job sent, from the beginning. Whoever is at it already goes on. */
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

/** How many messages wait for webhooks that are paused, and how long ago the first of them happened; 0 without any. */
export async function countHeld(tx: Tx, now: Date): Promise<Held> {
  const { rows } = await tx.execute<Held>(sql`
    select count(*)::integer as held,
      coalesce(greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - min(event.at))), 0)::float8
        as "oldestSeconds"
    from ${webhookEndpoints} as endpoint
    join ${webhookDeliveries} as delivery on delivery.endpoint_id = endpoint.id
      and delivery.delivered_at is null and delivery.given_up_at is null
    join ${webhookEvents} as event on event.id = delivery.event_id
    where endpoint.paused_at is not null and endpoint.removed_at is null`);
  return rows[0] ?? { held: 0, oldestSeconds: 0 };
}
