import { and, desc, eq, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { WEBHOOK } from "../announcements/announce.queries.ts";
import type { Db, Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { backgroundJobs, users, webhookDeliveries, webhookEndpoints, webhookEvents } from "../db/schema.ts";
import { findRequestId } from "../log/current-request.ts";
import { endingAt } from "../jobs/prune.ts";
import { dueAtOnce } from "../jobs/queries.ts";
import type { DeliveriesQuery, DeliveryState } from "./contract.ts";

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

/** Makes other transactions that add the same address wait until this one ends, so that they find it. */
export async function lockWebhookAddress(tx: Tx, href: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${href}, 0))`);
}

/** Returns false if there is a webhook with this id. */
export async function insertEndpoint(tx: Tx, row: typeof webhookEndpoints.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(webhookEndpoints).values(row).onConflictDoNothing();
  return rowCount === 1;
}

/** Returns the address and the events of every webhook. */
export const findAddresses = (tx: Tx) =>
  tx
    .select({ id: webhookEndpoints.id, url: webhookEndpoints.url, events: webhookEndpoints.events })
    .from(webhookEndpoints)
    .where(isNull(webhookEndpoints.removedAt));

/**
 * Returns a webhook that has not been removed, and locks it until the transaction ends. New events refer to the row and
 * do not wait for this lock: otherwise members' claims would wait while somebody pauses a webhook with a large backlog.
 */
export async function lockEndpoint(tx: Tx, id: string): Promise<EndpointRow | undefined> {
  const isThere = and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.removedAt));
  const [found] = await tx.select().from(webhookEndpoints).where(isThere).for("no key update");
  return found;
}

export async function updateEndpoint(tx: Tx, id: string, change: Partial<EndpointRow>): Promise<void> {
  await tx.update(webhookEndpoints).set(change).where(eq(webhookEndpoints.id, id));
}

/** Gives up all messages that still wait for an endpoint. */
export async function giveUpAll(tx: Tx, endpointId: string, { at, lastError }: { at: Date; lastError: string }) {
  await tx
    .update(webhookDeliveries)
    .set({ givenUpAt: at, lastError })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), isState("waiting")));
}

const count = (state: DeliveryState) =>
  sql<number>`count(${webhookDeliveries.eventId}) filter (where ${isState(state)})::integer`;

/** Returns the webhooks in the order they were added, each with the number of its deliveries. */
export const findEndpoints = (db: Db) =>
  db
    .select({
      id: webhookEndpoints.id,
      url: webhookEndpoints.url,
      events: webhookEndpoints.events,
      createdAt: webhookEndpoints.createdAt,
      previousUntil: webhookEndpoints.previousUntil,
      pausedAt: webhookEndpoints.pausedAt,
      pausedBy: webhookEndpoints.pausedBy,
      pausedByEmail: emailOf(users),
      delivered: count("delivered"),
      waiting: count("waiting"),
      givenUp: count("given-up"),
    })
    .from(webhookEndpoints)
    .leftJoin(webhookDeliveries, eq(webhookDeliveries.endpointId, webhookEndpoints.id))
    .leftJoin(users, eq(users.id, webhookEndpoints.pausedBy))
    .where(isNull(webhookEndpoints.removedAt))
    .groupBy(webhookEndpoints.id, users.id)
    .orderBy(webhookEndpoints.createdAt, webhookEndpoints.id);

export async function hasEndpoint(db: Db, id: string): Promise<boolean> {
  const isThere = and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.removedAt));
  return (await db.$count(webhookEndpoints, isThere)) > 0;
}

export function isState(state: DeliveryState): SQL | undefined {
  if (state === "delivered") return isNotNull(webhookDeliveries.deliveredAt);
  if (state === "given-up") return isNotNull(webhookDeliveries.givenUpAt);
  return and(isNull(webhookDeliveries.deliveredAt), isNull(webhookDeliveries.givenUpAt));
}

/** Returns a webhook's deliveries, sent or waiting, latest event first. */
export const findDeliveries = (db: Db, endpointId: string, { before, limit, state }: DeliveriesQuery) =>
  db
    .select({ event: webhookEvents, delivery: webhookDeliveries })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        before === undefined ? undefined : lt(webhookDeliveries.eventId, before),
        state && isState(state),
      ),
    )
    .orderBy(desc(webhookDeliveries.eventId))
    .limit(limit);

export type DeliveryKey = { endpointId: string; eventId: string };

const isOf = ({ endpointId, eventId }: DeliveryKey) =>
  and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.eventId, eventId));

export type Waiting = {
  delivery: typeof webhookDeliveries.$inferSelect;
  endpoint: EndpointRow;
  event: typeof webhookEvents.$inferSelect;
};

/** Returns a waiting delivery with its endpoint and event; undefined if it has ended, or the webhook was removed. */
export async function findWaiting(db: Db, key: DeliveryKey): Promise<Waiting | undefined> {
  const [found] = await db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints, event: webhookEvents })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    // An event that happened while its webhook was being removed has a delivery, but nowhere to go.
    .where(and(isOf(key), isState("waiting"), isNull(webhookEndpoints.removedAt)));
  return found;
}

type Change = Partial<typeof webhookDeliveries.$inferSelect>;

/** Returns false for a delivery that has ended in the meantime, as when its webhook was removed: it stays unchanged. */
export async function updateDelivery(tx: Tx, key: DeliveryKey, change: Change): Promise<boolean> {
  const isWaiting = and(isOf(key), isState("waiting"));
  const { rowCount } = await tx.update(webhookDeliveries).set(change).where(isWaiting);
  return rowCount === 1;
}

type Replaying = {
  endpoint: Pick<EndpointRow, "id" | "events">;
  event: string | null;
  since: Date | null;
  until: Date;
  undelivered: boolean;
  most: number;
  at: Date;
};

type Replayed = { queued: number; next: Date | null };

/**
 * Queues events for an endpoint again, oldest first, whether they were sent to it before or not. Events of one instant
 * stay together, even if they are more than `most`, so that the rest begins where this ends. Returns how many, and when
 * the next one happened if there are more.
 */
export async function queueAgain(tx: Tx, replaying: Replaying): Promise<Replayed> {
  const { at, endpoint, most } = replaying;
  const now = sql`${at.toISOString()}::timestamptz`;
  const matching = matchEvents(replaying);
  const { rows } = await tx.execute<{ queued: number; next: number | null }>(sql`
    with found as materialized (
      select event.id, event.at ${matching} order by event.at fetch first ${most} rows with ties
    ), delivery as (
      insert into ${webhookDeliveries} (endpoint_id, event_id, queued_at)
      select ${endpoint.id}::uuid, id, ${now} from found order by at, id
      on conflict (endpoint_id, event_id) do update set queued_at = excluded.queued_at, attempts = 0,
        last_at = null, last_status = null, last_error = null, delivered_at = null, given_up_at = null
      returning endpoint_id, event_id
    ), job as (
      insert into ${backgroundJobs} (kind, key, due_at, request_id)
      select ${WEBHOOK}, endpoint_id || ' ' || event_id, ${dueAtOnce(at)}, ${findRequestId()}::text from delivery
      on conflict (kind, key) do update set due_at = excluded.due_at, attempts = 0, lease = null, dead_at = null,
        request_id = excluded.request_id
      returning key
    )
    select (select count(*)::integer from job) as queued, (
      select (extract(epoch from event.at) * 1000)::float8 ${matching} and event.at > (select max(at) from found)
      order by event.at limit 1
    ) as next`);
  const { queued = 0, next = null } = rows[0] ?? {};
  return { queued, next: next === null ? null : new Date(next) };
}

/** The events to queue again: the end of a statement, to which conditions can be added. */
const matchEvents = ({ endpoint, event, since, undelivered, until }: Replaying): SQL => sql`
  from ${webhookEvents} as event
  left join ${webhookDeliveries} as delivery
    on delivery.endpoint_id = ${endpoint.id}::uuid and delivery.event_id = event.id
  where (event.id = ${event}::uuid or event.at >= ${since?.toISOString() ?? null}::timestamptz)
    and event.at < ${until.toISOString()}::timestamptz
    and event.type = any (array(select jsonb_array_elements_text(${JSON.stringify(endpoint.events)}::jsonb)))
    and (delivery.delivered_at is null or not ${undelivered})`;

/** How long an event can be replayed. */
const RETENTION_SECONDS = 30 * 24 * 60 * 60;

export const OLD_ANNOUNCEMENTS = endingAt(webhookEvents.at, RETENTION_SECONDS);
