import { and, desc, eq, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { WEBHOOK } from "../announcements/announce.ts";
import type { Db, Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { backgroundJobs, users, webhookDeliveries, webhookEndpoints, webhookEvents } from "../db/schema.ts";
import { findRequestId } from "../log/current-request.ts";
import { endingAt } from "../jobs/prune.ts";
import { dueAtOnce } from "../jobs/queries.ts";
import type { DeliveriesQuery, DeliveryState } from "./contract.ts";

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

/** Has whoever adds the same address at the same moment wait until the transaction ends, and find it there. */
export async function holdAddress(tx: Tx, href: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${href}, 0))`);
}

/** False where there is one with this id. */
export async function insertEndpoint(tx: Tx, row: typeof webhookEndpoints.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(webhookEndpoints).values(row).onConflictDoNothing();
  return rowCount === 1;
}

/** Whom messages go to, and about what. */
export const findAddresses = (tx: Tx) =>
  tx
    .select({ id: webhookEndpoints.id, url: webhookEndpoints.url, events: webhookEndpoints.events })
    .from(webhookEndpoints)
    .where(isNull(webhookEndpoints.removedAt));

/**
 * One that has not been removed, which stays so until the transaction ends. What happens meanwhile refers to it and
 * does not wait: with a large backlog members' claims would wait for whoever pauses it.
 */
export async function lockEndpoint(tx: Tx, id: string): Promise<EndpointRow | undefined> {
  const isThere = and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.removedAt));
  const [found] = await tx.select().from(webhookEndpoints).where(isThere).for("no key update");
  return found;
}

export async function updateEndpoint(tx: Tx, id: string, change: Partial<EndpointRow>): Promise<void> {
  await tx.update(webhookEndpoints).set(change).where(eq(webhookEndpoints.id, id));
}

/** Ends what an endpoint has not been told yet. */
export async function giveUpAll(tx: Tx, endpointId: string, { at, lastError }: { at: Date; lastError: string }) {
  await tx
    .update(webhookDeliveries)
    .set({ givenUpAt: at, lastError })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), isState("waiting")));
}

const count = (state: DeliveryState) =>
  sql<number>`count(${webhookDeliveries.eventId}) filter (where ${isState(state)})::integer`;

/** Those that there are, the first one first, with the number of their deliveries. */
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

/** What one was told, or is to be, the latest event first. */
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

/** What is to be told to whom; undefined for what was, or is not to be any more. */
export async function findWaiting(db: Db, key: DeliveryKey): Promise<Waiting | undefined> {
  const [found] = await db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints, event: webhookEvents })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    // An event from while the webhook was being removed has a row, and nobody to go to.
    .where(and(isOf(key), isState("waiting"), isNull(webhookEndpoints.removedAt)));
  return found;
}

type Change = Partial<typeof webhookDeliveries.$inferSelect>;

/** False for a delivery that has ended meanwhile, as where its webhook was removed: it stays as it is. */
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
 * Queues events anew for an endpoint, the oldest first, whether it was told of them or not. Returns how many, and when
 * the next one happened where there are more.
 */
export async function queueAgain(tx: Tx, replaying: Replaying): Promise<Replayed> {
  const { at, endpoint, event, most, since, undelivered, until } = replaying;
  const now = sql`${at.toISOString()}::timestamptz`;
  const { rows } = await tx.execute<{ queued: number; next: number | null }>(sql`
    with found as materialized (
      select event.id, event.at from ${webhookEvents} as event
      left join ${webhookDeliveries} as delivery
        on delivery.endpoint_id = ${endpoint.id}::uuid and delivery.event_id = event.id
      where (event.id = ${event}::uuid or event.at >= ${since?.toISOString() ?? null}::timestamptz)
        and event.at < ${until.toISOString()}::timestamptz
        and event.type = any (array(select jsonb_array_elements_text(${JSON.stringify(endpoint.events)}::jsonb)))
        and (delivery.delivered_at is null or not ${undelivered})
      order by event.at, event.id limit ${most + 1}
    ), delivery as (
      insert into ${webhookDeliveries} (endpoint_id, event_id, queued_at)
      select ${endpoint.id}::uuid, id, ${now} from found order by at, id limit ${most}
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
    select (select count(*)::integer from job) as queued,
      (select (extract(epoch from at) * 1000)::float8 from found order by at, id offset ${most}) as next`);
  const { queued = 0, next = null } = rows[0] ?? {};
  return { queued, next: next === null ? null : new Date(next) };
}

/** What can be replayed. */
const KEPT_SECONDS = 30 * 24 * 60 * 60;

export const OLD_ANNOUNCEMENTS = endingAt(webhookEvents.at, KEPT_SECONDS);
