import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";

/** Ids of incoming messages that were processed, so that each is processed once. */
export const webhookMessages = pgTable(
  "webhook_messages",
  {
    id: text("id").primaryKey(),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [index("webhook_messages_received_at").on(table.receivedAt)],
);

/** Where webhooks are sent. An endpoint that was removed keeps its row, because its deliveries refer to it. */
export const webhookEndpoints = pgTable("webhook_endpoints", {
  id: uuid("id").primaryKey(),
  url: text("url").notNull(),
  /** The event types that it subscribes to. */
  events: text("events").array().notNull(),
  /** The key that signs messages, encrypted. */
  secret: bytes("secret").notNull(),
  /** The previous key. Messages carry its signature too, for a while. */
  previousSecret: bytes("previous_secret"),
  previousUntil: instant("previous_until"),
  createdAt: instant("created_at").notNull(),
  /** Since when nothing is sent to it. Null if it is active. */
  pausedAt: instant("paused_at"),
  /** The administrator who paused it. Null if an operator did. */
  pausedBy: uuid("paused_by"),
  removedAt: instant("removed_at"),
});

/** An event, written in the transaction that causes it. It refers to members by id alone. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    /** The id of the message, the same for every endpoint and every attempt. */
    id: uuid("id").primaryKey(),
    type: text("type").notNull(),
    /** What the event is about. The same event cannot happen to it twice. */
    subject: text("subject").notNull(),
    at: instant("at").notNull(),
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
  },
  (table) => [unique("webhook_events_once").on(table.type, table.subject), index("webhook_events_at").on(table.at)],
);

/** The delivery of an event to an endpoint, and its outcome. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    endpointId: uuid("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id),
    eventId: uuid("event_id")
      .notNull()
      .references(() => webhookEvents.id, { onDelete: "cascade" }),
    /** When the delivery was queued. Replaying it sets a new time. */
    queuedAt: instant("queued_at").notNull(),
    /** How many attempts were made since then. */
    attempts: integer("attempts").notNull().default(0),
    lastAt: instant("last_at"),
    /** The status code of the last response. Null if there was none. */
    lastStatus: smallint("last_status"),
    lastError: text("last_error"),
    deliveredAt: instant("delivered_at"),
    givenUpAt: instant("given_up_at"),
  },
  (table) => [
    primaryKey({ columns: [table.endpointId, table.eventId] }),
    index("webhook_deliveries_event").on(table.eventId),
    /** Pending deliveries in the order of events. For a paused endpoint: the one to send next. */
    index("webhook_deliveries_waiting")
      .on(table.endpointId, table.eventId)
      .where(sql`${table.deliveredAt} is null and ${table.givenUpAt} is null`),
    check("webhook_deliveries_end", sql`${table.deliveredAt} is null or ${table.givenUpAt} is null`),
  ],
);
