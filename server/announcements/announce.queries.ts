import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { backgroundJobs, webhookDeliveries, webhookEndpoints, webhookEvents } from "../db/schema.ts";
import { dueAtOnce } from "../jobs/queries.ts";
import { findRequestId } from "../log/current-request.ts";
import type { AnnouncedType } from "./contract.ts";

/** The job kind for sending one event to one endpoint. The key names both. */
export const WEBHOOK = "webhook";

type Announcement = {
  type: AnnouncedType;
  /** What it happened to. The same event about the same subject is sent once, however often it is announced. */
  subject: string;
  at: Date;
  /** Names members by id, never by address. */
  data: { memberId: string } & Record<string, string | number>;
};

/**
 * Records an event in the transaction in which it happens, with a job for each endpoint that subscribes to it: all or
 * nothing. Takes one statement, even if no endpoint subscribes: what was not sent can be replayed.
 */
export async function announce(tx: Tx, { at, data, subject, type }: Announcement): Promise<void> {
  const now = sql`${at.toISOString()}::timestamptz`;
  await tx.execute(sql`
    with event as (
      insert into ${webhookEvents} (id, type, subject, at, data)
      values (${uuidv7()}, ${type}, ${subject}, ${now}, ${JSON.stringify(data)}::jsonb)
      on conflict (type, subject) do nothing returning id
    ), delivery as (
      insert into ${webhookDeliveries} (endpoint_id, event_id, queued_at)
      select endpoint.id, event.id, ${now} from event
      join ${webhookEndpoints} as endpoint on endpoint.removed_at is null and ${type} = any (endpoint.events)
      returning endpoint_id, event_id
    )
    insert into ${backgroundJobs} (kind, key, due_at, request_id)
    select ${WEBHOOK}, endpoint_id || ' ' || event_id, ${dueAtOnce(at)}, ${findRequestId()}::text from delivery`);
}
