import { index, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";
import { memberId } from "./users.ts";

/**
 * A member who has asked for their account to be deleted. The row goes when they change their mind, and with the
 * account.
 */
export const accountDeletions = pgTable(
  "account_deletions",
  {
    userId: memberId().primaryKey(),
    requestedAt: instant("requested_at").notNull(),
    /** The member can change their mind until then. */
    dueAt: instant("due_at").notNull(),
    /** When their sessions and keys were ended, shortly before the rest of the account is deleted. */
    closedAt: instant("closed_at"),
  },
  (table) => [index("account_deletions_due_at").on(table.dueAt)],
);

/**
 * The mailboxes of deleted accounts and the former mailboxes of members, hashed with a key that is not in the database.
 * They keep anybody from being invited twice.
 */
export const departedMailboxes = pgTable("departed_mailboxes", {
  mailboxHash: bytes("mailbox_hash").primaryKey(),
  departedAt: instant("departed_at").notNull(),
});

/** Keys derived from former secrets of the installation, sealed with the current one, for data that never expires. */
export const formerKeys = pgTable("former_keys", {
  /** Identifies the key itself, so that the same key is stored only once. */
  id: text("id").primaryKey(),
  sealed: bytes("sealed").notNull(),
  /** When the server stopped using that secret for anything new. */
  keptAt: instant("kept_at").notNull(),
});
