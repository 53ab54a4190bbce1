import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** What becomes of the columns that name a member when their account goes: each is listed in the check below, too. */
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
    /** The address as it is compared: trimmed and lower-cased. */
    emailKey: text("email_key").notNull(),
    /** The mailbox behind the address, without tags and dots: two accounts of one person share it. */
    mailboxKey: text("mailbox_key").notNull().default(""),
    /** Null where another provider keeps the password. */
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
    /** When the linked wallet was changed, which can be done once. */
    walletChangedAt: instant("wallet_changed_at"),
    website: text("website"),
    xHandle: text("x_handle"),
    totalPointsDone: boolean("total_points_done").notNull().default(false),
    heartbeatsGenesisSnapshot: integer("heartbeats_genesis_snapshot").notNull().default(0),
    isWhitelisted: boolean("is_whitelisted").notNull().default(false),
    onboardedAt: instant("onboarded_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    /** Since when an operator keeps the member from signing in, and their machines from beating. */
    blockedAt: instant("blocked_at"),
    /** Set with everything that names the member taken away, and never undone: what remains holds up the ledger. */
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
    /** By the beginning of an address, whatever order the database sorts words in. */
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

/** A member: whose row it is, unless the name says more. */
export const memberId = (name = "user_id") =>
  uuid(name)
    .notNull()
    .references(() => users.id);
