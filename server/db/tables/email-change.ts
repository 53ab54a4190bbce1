import { index, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, resendState } from "../columns.ts";
import { memberId } from "./users.ts";

/** The new sign-in address that a member has yet to prove is theirs. A member has one at most. */
export const emailChanges = pgTable(
  "email_changes",
  {
    userId: memberId().primaryKey(),
    /** New with each code. The code's hash covers both. */
    id: uuid("id").notNull(),
    email: text("email").notNull(),
    codeHash: bytes("code_hash").notNull(),
    codeAttempts: smallint("code_attempts").notNull().default(0),
    resendState: resendState(),
    mailedAt: instant("mailed_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("email_changes_expires_at").on(table.expiresAt)],
);
