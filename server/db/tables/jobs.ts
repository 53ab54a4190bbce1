import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";

/**
 * One task. Its row is deleted once it is done, unless it belongs to a schedule. Not to be confused with `jobs`, which
 * nodes finish.
 */
export const backgroundJobs = pgTable(
  "background_jobs",
  {
    kind: text("kind").notNull(),
    /** Identifies the job within its kind: the same job is never queued twice. */
    key: text("key").notNull(),
    /** What the job needs besides its key. Encrypted if it contains a secret. */
    payload: bytes("payload"),
    /** For an email: the address it goes to, hashed with a key that is not in the database. Null in older rows. */
    recipient: bytes("recipient"),
    /** How many attempts were made since the job last made progress. */
    attempts: integer("attempts").notNull().default(0),
    /** When the job runs next. While a process holds it: when another process may take it over. */
    dueAt: instant("due_at").notNull(),
    /**
     * Identifies the current holder. New each time a process takes the job, so that a former holder cannot pass for it.
     */
    lease: uuid("lease"),
    /** The job is worthless after this. */
    expiresAt: instant("expires_at"),
    lastError: text("last_error"),
    /** The request that queued it, for the log. */
    requestId: text("request_id"),
    /** When the queue gave up on it. The row is kept for a while, with its last error. */
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
    /** Older emails without a recipient. Soon there will be none. */
    index("background_jobs_unaddressed")
      .on(table.key)
      .where(sql`${table.kind} = 'mail' and ${table.recipient} is null`),
    index("background_jobs_over").on(sql`coalesce(${table.deadAt}, ${table.expiresAt})`),
  ],
);
