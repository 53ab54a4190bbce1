import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, smallint } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";
import { memberId } from "./users.ts";

/** Members who want an email when their nodes fall silent, and the silence that the last email was about. */
export const silenceMails = pgTable(
  "silence_mails",
  {
    userId: memberId().primaryKey(),
    /** Hours of silence before the email. Null if the member wants none. */
    afterHours: smallint("after_hours"),
    /** Whether to also send an email when a node is back. */
    tellsReturn: boolean("tells_return").notNull().default(false),
    /** Silence before this does not count. */
    chosenAt: instant("chosen_at").notNull(),
    /** The last heartbeat before the silence that was mailed. Null if there was none, or once that silence is over. */
    mailedFor: instant("mailed_for"),
    /** When to check next. Null if the member wants no email. */
    lookAt: instant("look_at"),
  },
  (table) => [
    index("silence_mails_look_at")
      .on(table.lookAt)
      .where(sql`${table.lookAt} is not null`),
    check("silence_mails_after_hours", sql`${table.afterHours} in (1, 3, 12, 24)`),
  ],
);
