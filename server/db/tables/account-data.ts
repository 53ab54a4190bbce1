import { index, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";
import { memberId } from "./users.ts";

/** A member who has asked for the deletion of their account. The row goes when they stay, and with the account. */
export const accountDeletions = pgTable(
  "account_deletions",
  {
    userId: memberId().primaryKey(),
    requestedAt: instant("requested_at").notNull(),
    /** Until then the member can change their mind. */
    dueAt: instant("due_at").notNull(),
    /** When their sessions and keys were ended, some moments before everything else is. */
    closedAt: instant("closed_at"),
  },
  (table) => [index("account_deletions_due_at").on(table.dueAt)],
);

/**
 * The mailboxes of deleted accounts, and former ones of members, as hashes with a key that is not in the database:
 * nobody is invited twice.
 */
export const departedMailboxes = pgTable("departed_mailboxes", {
  mailboxHash: bytes("mailbox_hash").primaryKey(),
  departedAt: instant("departed_at").notNull(),
});

/** What former secrets of the installation came to, sealed with the present one: for what has no end. */
export const formerKeys = pgTable("former_keys", {
  /** Of the key itself: the same one is kept once. */
  id: text("id").primaryKey(),
  sealed: bytes("sealed").notNull(),
  /** From then on nothing more was made with that secret. */
  keptAt: instant("kept_at").notNull(),
});
