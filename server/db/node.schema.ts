import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.schema.ts";
import { instant } from "./columns.ts";

/* What is known of a member's node beyond its heartbeats. Part of schema.ts, like all tables. */

/** Beats that did not count, and why: the latest of each member. The same beat, sent again, is one row. */
export const refusedBeats = pgTable(
  "refused_beats",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** When the node says it beat. With a revoked key that is not read: then the start of a quarter of an hour. */
    claimedAt: instant("claimed_at").notNull(),
    reason: text("reason", { enum: ["too_early", "too_late", "revoked_key"] }).notNull(),
    /** All zeros where it was sent with a sign-in. */
    deviceId: uuid("device_id").notNull(),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.claimedAt, table.reason, table.deviceId] }),
    index("refused_beats_by_time").on(table.userId, table.receivedAt.desc()),
    index("refused_beats_received_at").on(table.receivedAt),
    check("refused_beats_reason", sql`${table.reason} in ('too_early', 'too_late', 'revoked_key')`),
  ],
);

/** Who wants a mail when their node is silent, and for which silence they got one. */
export const silenceMails = pgTable(
  "silence_mails",
  {
    userId: uuid("user_id")
      .primaryKey()
      .references(() => users.id),
    /** Hours of silence; null when no mail is wanted. */
    afterHours: smallint("after_hours"),
    /** Whether they also want to know that it is back. */
    tellsReturn: boolean("tells_return").notNull().default(false),
    /** Silence counts from then on at the earliest. */
    chosenAt: instant("chosen_at").notNull(),
    /** The last beat before the silence that was mailed; null when none was, or when it was seen to be over. */
    mailedFor: instant("mailed_for"),
    /** When to look next; null when no mail is wanted. */
    lookAt: instant("look_at"),
  },
  (table) => [
    index("silence_mails_look_at")
      .on(table.lookAt)
      .where(sql`${table.lookAt} is not null`),
    check("silence_mails_after_hours", sql`${table.afterHours} in (1, 3, 12, 24)`),
  ],
);
