import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/**
 * The values that replace a member's personal data when their account is deleted. The check below lists each column
 * too.
 */
export const FORGOTTEN = {
  passwordHash: null,
  providerSubject: null,
  avatarUrl: null,
  campaignEmail: null,
  discordUserid: null,
  discordUsername: null,
  fullName: null,
  personalCode: null,
  telegramHandle: null,
  username: null,
  wallet: null,
  website: null,
  xHandle: null,
} as const;

export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey(),
    email: text("email").notNull(),
    /** The address as used for comparison: trimmed and in lower case. */
    emailKey: text("email_key").notNull(),
    /** The mailbox behind the address, without tags and dots. Two accounts of one person share it. */
    mailboxKey: text("mailbox_key").notNull().default(""),
    /** Null if another provider keeps the password. */
    passwordHash: text("password_hash"),
    /** The member's id at that provider. */
    providerSubject: text("provider_subject"),
    avatarUrl: text("avatar_url"),
    campaignEmail: text("campaign_email"),
    campaignMail: boolean("campaign_mail").notNull().default(true),
    discordUserid: text("discord_userid"),
    discordUsername: text("discord_username"),
    fullName: text("full_name"),
    invitedBy: uuid("invited_by"),
    personalCode: text("personal_code"),
    telegramHandle: text("telegram_handle"),
    username: text("username"),
    wallet: text("wallet"),
    /** When the linked wallet was changed. A member can do that once. */
    walletChangedAt: instant("wallet_changed_at"),
    website: text("website"),
    xHandle: text("x_handle"),
    totalPointsDone: boolean("total_points_done").notNull().default(false),
    heartbeatsGenesisSnapshot: integer("heartbeats_genesis_snapshot").notNull().default(0),
    isWhitelisted: boolean("is_whitelisted").notNull().default(false),
    onboardedAt: instant("onboarded_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    /** Since when an operator has blocked the member from signing in, and their machines from sending heartbeats. */
    blockedAt: instant("blocked_at"),
    /** When the member's personal data was removed. Never undone. The row remains because the ledger refers to it. */
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    check(
      "users_deleted",
      sql`${table.deletedAt} is null or (
        ${table.email} = ${table.id}::text and ${table.emailKey} = ${table.id}::text and ${table.mailboxKey} = ''
        and not ${table.campaignMail}
        and num_nonnulls(
          ${table.passwordHash}, ${table.providerSubject}, ${table.avatarUrl}, ${table.campaignEmail},
          ${table.discordUserid}, ${table.discordUsername}, ${table.fullName}, ${table.personalCode},
          ${table.telegramHandle}, ${table.username}, ${table.wallet}, ${table.website}, ${table.xHandle}
        ) = 0
      )`,
    ),
    uniqueIndex("users_email_key_unique").on(table.emailKey),
    /** Finds addresses by prefix, whatever the database's collation. */
    index("users_email_key_prefix").on(table.emailKey.op("text_pattern_ops")),
    index("users_created_at").on(table.createdAt),
    index("users_deleted_at")
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index("users_mailbox_key").on(table.mailboxKey),
    uniqueIndex("users_provider_subject_unique").on(table.providerSubject),
    uniqueIndex("users_personal_code_unique").on(table.personalCode),
    uniqueIndex("users_wallet_unique").on(sql`lower(${table.wallet})`),
    index("users_whitelisted")
      .on(table.id)
      .where(sql`${table.isWhitelisted}`),
  ],
);

/** A reference to a member: the owner of the row, unless the name says otherwise. */
export const memberId = (name = "user_id") =>
  uuid(name)
    .notNull()
    .references(() => users.id);
