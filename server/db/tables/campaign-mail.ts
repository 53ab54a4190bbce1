import { index, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, resendState } from "../columns.ts";
import { memberId } from "./users.ts";

/** The address for campaign mail that a member has yet to prove is theirs. A member has one at most. */
export const campaignEmails = pgTable(
  "campaign_emails",
  {
    userId: memberId().primaryKey(),
    /** A new id for each address. */
    id: uuid("id").notNull(),
    email: text("email").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    codeHash: bytes("code_hash").notNull(),
    codeAttempts: smallint("code_attempts").notNull().default(0),
    resendState: resendState(),
    mailedAt: instant("mailed_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
  },
  (table) => [index("campaign_emails_expires_at").on(table.expiresAt)],
);
