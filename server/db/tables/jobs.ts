import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";

/**
 * One thing to do. A row goes when it is done; a schedule's stays. Not to be confused with `jobs`, which nodes finish.
 */
export const backgroundJobs = pgTable(
  "background_jobs",
  {
    kind: text("kind").notNull(),
    /** Tells the jobs of a kind apart: the same is never queued twice. */
    key: text("key").notNull(),
    /** What its kind needs beside the key, encrypted where it is anybody's secret. */
    payload: bytes("payload"),
    /** Of a letter: whose address it goes to, as a hash with a key that is not in the database. Null in older rows. */
    recipient: bytes("recipient"),
    /** How often it was taken since it last got further. */
    attempts: integer("attempts").notNull().default(0),
    /** When it is taken next; while somebody has it, when another process may take it over. */
    dueAt: instant("due_at").notNull(),
    /** Who has it: another one for each taking, so that a former holder is told from the present one. */
    lease: uuid("lease"),
    /** After this it is worthless. */
    expiresAt: instant("expires_at"),
    lastError: text("last_error"),
    /** The request that it was queued by, for the log. */
    requestId: text("request_id"),
    /** When it was given up: it is kept for a while, with its last error. */
    deadAt: instant("dead_at"),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.key] }),
    index("background_jobs_due")
      .on(table.kind, table.dueAt)
      .where(sql`${table.deadAt} is null`),
    index("background_jobs_dead")
      .on(table.kind, table.key)
      .where(sql`${table.deadAt} is not null`),
    index("background_jobs_recipient")
      .on(table.recipient)
      .where(sql`${table.recipient} is not null`),
    /** Of older letters: none before long. */
    index("background_jobs_unaddressed")
      .on(table.key)
      .where(sql`${table.kind} = 'mail' and ${table.recipient} is null`),
    index("background_jobs_over").on(sql`coalesce(${table.deadAt}, ${table.expiresAt})`),
  ],
);
