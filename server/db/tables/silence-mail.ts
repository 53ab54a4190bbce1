import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, smallint } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";
import { memberId } from "./users.ts";

/** Who wants a mail when their node is silent, and for which silence they got one. */
export const silenceMails = pgTable(
  "silence_mails",
  {
    userId: memberId().primaryKey(),
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
