import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** How a part was in a minute, the worst that any process saw of it: there is one row, whoever writes. */
export const statusSamples = pgTable(
  "status_samples",
  {
    part: text("part").notNull(),
    /** Its beginning. */
    minute: instant("minute").notNull(),
    /** 0 up, 1 slow or in part, 2 down. */
    state: smallint("state").notNull(),
    /** Of heartbeats: how long they took to be taken in, at the 95th percentile. */
    lagMs: integer("lag_ms"),
  },
  (table) => [
    primaryKey({ columns: [table.part, table.minute] }),
    index("status_samples_minute").on(table.minute),
    check("status_samples_state", sql`${table.state} between 0 and 2`),
  ],
);

/** The minutes of a UTC day by state, as its samples had them. */
export const statusDays = pgTable(
  "status_days",
  {
    part: text("part").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    up: integer("up").notNull(),
    degraded: integer("degraded").notNull(),
    down: integer("down").notNull(),
    /** The first minute that was measured: what is before it, on the first day of all, is nobody's fault. */
    since: instant("since").notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.day] }), index("status_days_day").on(table.day)],
);

/** What members are told of an outage. */
export const statusIncidents = pgTable(
  "status_incidents",
  {
    id: uuid("id").primaryKey(),
    title: text("title").notNull(),
    /** Which part; null where it is none of them, or all. */
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

/** What was told of an incident since, word for word. */
export const statusUpdates = pgTable(
  "status_updates",
  {
    incidentId: uuid("incident_id")
      .notNull()
      .references(() => statusIncidents.id, { onDelete: "cascade" }),
    /** In the order of time. */
    id: uuid("id").notNull(),
    at: instant("at").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.incidentId, table.id] })],
);
