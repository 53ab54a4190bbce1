import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";

/** Ids of messages from outside that were taken in: each is, once. */
export const webhookMessages = pgTable(
  "webhook_messages",
  {
    id: text("id").primaryKey(),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [index("webhook_messages_received_at").on(table.receivedAt)],
);

/** Whom we tell of what happens. One that was removed stays, for what it was sent. */
export const webhookEndpoints = pgTable("webhook_endpoints", {
  id: uuid("id").primaryKey(),
  url: text("url").notNull(),
  /** The kinds of events that it is told of. */
  events: text("events").array().notNull(),
  /** What messages are signed with, encrypted. */
  secret: bytes("secret").notNull(),
  /** The one before, which signs beside it for a while. */
  previousSecret: bytes("previous_secret"),
  previousUntil: instant("previous_until"),
  createdAt: instant("created_at").notNull(),
  /** Since when nothing is sent to it; null while messages are. */
  pausedAt: instant("paused_at"),
  /** Which administrator paused it; null where an operator did. */
  pausedBy: uuid("paused_by"),
  removedAt: instant("removed_at"),
});

/** What happened, written with it. Names members by id alone. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    /** The message's id for all who are told, however often. */
    id: uuid("id").primaryKey(),
    type: text("type").notNull(),
    /** What it happened to: nothing happens to it twice. */
    subject: text("subject").notNull(),
    at: instant("at").notNull(),
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
  },
  (table) => [unique("webhook_events_once").on(table.type, table.subject), index("webhook_events_at").on(table.at)],
);

/** That an endpoint is told of an event, and what came of it. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    endpointId: uuid("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id),
    eventId: uuid("event_id")
      .notNull()
      .references(() => webhookEvents.id, { onDelete: "cascade" }),
    /** Since when it has been tried: another time once it is replayed. */
    queuedAt: instant("queued_at").notNull(),
    /** How often, since then. */
    attempts: integer("attempts").notNull().default(0),
    lastAt: instant("last_at"),
    /** What was answered last; null where nothing was. */
    lastStatus: smallint("last_status"),
    lastError: text("last_error"),
    deliveredAt: instant("delivered_at"),
    givenUpAt: instant("given_up_at"),
  },
  (table) => [
    primaryKey({ columns: [table.endpointId, table.eventId] }),
    index("webhook_deliveries_event").on(table.eventId),
    /** What waits, in the order of events: of an endpoint that was paused, the next one to send. */
    index("webhook_deliveries_waiting")
      .on(table.endpointId, table.eventId)
      .where(sql`${table.deliveredAt} is null and ${table.givenUpAt} is null`),
    check("webhook_deliveries_end", sql`${table.deliveredAt} is null or ${table.givenUpAt} is null`),
  ],
);
