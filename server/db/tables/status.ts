import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** The state of a part in one minute. All processes write to the same row, and the worst state wins. */
export const statusSamples = pgTable(
  "status_samples",
  {
    part: text("part").notNull(),
    /** The start of the minute. */
    minute: instant("minute").notNull(),
    /** 0: up, 1: slow or partly down, 2: down. */
    state: smallint("state").notNull(),
    /** For heartbeats: how long it took to accept them, at the 95th percentile, in milliseconds. */
    lagMs: integer("lag_ms"),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.minute] }),
    index("status_samples_minute").on(table.minute),
    check("status_samples_state", sql`${table.state} between 0 and 2`),
  ],
);

/** How many minutes of a UTC day each state had, counted from the samples. */
export const statusDays = pgTable(
  "status_days",
  {
    part: text("part").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    up: integer("up").notNull(),
    degraded: integer("degraded").notNull(),
    down: integer("down").notNull(),
    /**
     * The first minute that was measured. Minutes before it, on the very first day, do not count against the uptime.
     */
    since: instant("since").notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.day] }), index("status_days_day").on(table.day)],
);

/** What members can read about an outage. */
export const statusIncidents = pgTable(
  "status_incidents",
  {
    id: uuid("id").primaryKey(),
    title: text("title").notNull(),
    /** The affected part. Null if it is none or all of them. */
    part: text("part"),
    impact: text("impact", { enum: ["notice", "degraded", "down"] }).notNull(),
    startedAt: instant("started_at").notNull(),
    resolvedAt: instant("resolved_at"),
  },
  (table) => [
    index("status_incidents_resolved_at").on(table.resolvedAt),
    check("status_incidents_impact", sql`${table.impact} in ('notice', 'degraded', 'down')`),
    check("status_incidents_times", sql`${table.resolvedAt} >= ${table.startedAt}`),
  ],
);

/** Later updates to an incident, word for word. */
export const statusUpdates = pgTable(
  "status_updates",
  {
    incidentId: uuid("incident_id")
      .notNull()
      .references(() => statusIncidents.id, { onDelete: "cascade" }),
    /** Ids sort in the order they were created. */
    id: uuid("id").notNull(),
    at: instant("at").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.incidentId, table.id] })],
);
