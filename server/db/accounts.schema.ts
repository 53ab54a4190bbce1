import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, instant } from "./columns.ts";

/* Who the members are, and how they come and go. Part of schema.ts, like all tables. */

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
    index("users_mailbox_key").on(table.mailboxKey),
    uniqueIndex("users_provider_subject_unique").on(table.providerSubject),
    uniqueIndex("users_personal_code_unique").on(table.personalCode),
    uniqueIndex("users_wallet_unique").on(sql`lower(${table.wallet})`),
  ],
);

/** One row a sign-in. The token itself is never stored, only its SHA-256. */
export const sessions = pgTable(
  "sessions",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    id: uuid("id").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** To within a few minutes: a write per request would be too many. */
    lastSeenAt: instant("last_seen_at").notNull().defaultNow(),
    /** What the sign-in was made with, in words. */
    device: text("device").notNull().default("An unknown device"),
    /** The network it came from: the member's address without its last part. */
    network: text("network"),
    /** The provider's own session behind this one, encrypted, and when it has to be refreshed. */
    providerSession: bytes("provider_session"),
    providerExpiresAt: instant("provider_expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex("sessions_token_hash_unique").on(table.tokenHash),
    index("sessions_expires_at").on(table.expiresAt),
    /** What has ended here and not yet at the provider: few at any time. */
    index("sessions_to_release")
      .on(table.userId)
      .where(sql`${table.providerSession} is not null and ${table.revokedAt} is not null`),
  ],
);

/** Browsers that a member has signed in with before, by the hash of the token that each keeps in a cookie. */
export const knownDevices = pgTable(
  "known_devices",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    tokenHash: bytes("token_hash").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.tokenHash] }),
    index("known_devices_token_hash").on(table.tokenHash),
    index("known_devices_last_seen_at").on(table.lastSeenAt),
  ],
);

/**
 * What happened to an account, and from where. Triggers refuse update and truncate, and delete within a year.
 * Not tied to `users`: a failed sign-in is written down, at the same cost, for an address that nobody has.
 */
export const securityEvents = pgTable(
  "security_events",
  {
    userId: uuid("user_id").notNull(),
    id: uuid("id").notNull(),
    kind: text("kind").notNull(),
    device: text("device").notNull(),
    network: text("network"),
    occurredAt: instant("occurred_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index("security_events_occurred_at").on(table.occurredAt),
  ],
);

/** How much of a limit is used up: the instant at which none of it is. The key is a hash of what is limited. */
export const rateLimits = pgTable(
  "rate_limits",
  { key: bytes("key").primaryKey(), freeAt: instant("free_at").notNull() },
  (table) => [index("rate_limits_free_at").on(table.freeAt)],
);

/** A machine that beats for a member, with a key of its own that can be revoked alone. */
export const nodeDevices = pgTable(
  "node_devices",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    id: uuid("id").notNull(),
    name: text("name").notNull(),
    keyHash: bytes("key_hash").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex("node_devices_key_hash_unique").on(table.keyHash),
  ],
);

/** How far the ladder of resends has been climbed. */
const resendState = () =>
  text("resend_state", { enum: ["INITIAL", "FIRST_RESEND", "SECOND_RESEND", "MAX_ATTEMPTS"] }).notNull();

/** Someone who asked for an account and has yet to show that the address is theirs. Tokens are kept as hashes only. */
export const signUps = pgTable(
  "sign_ups",
  {
    id: uuid("id").primaryKey(),
    tokenHash: bytes("token_hash").notNull(),
    linkHash: bytes("link_hash").notNull(),
    /** Of the latest code, with a key that is not in the database: six digits would soon be guessed. */
    codeHash: bytes("code_hash").notNull(),
    codeAttempts: smallint("code_attempts").notNull().default(0),
    email: text("email").notNull(),
    /** Null where another provider keeps the password. */
    passwordHash: text("password_hash"),
    referralCode: text("referral_code"),
    resendState: resendState(),
    mailedAt: instant("mailed_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
  },
  (table) => [
    uniqueIndex("sign_ups_token_hash_unique").on(table.tokenHash),
    uniqueIndex("sign_ups_link_hash_unique").on(table.linkHash),
    index("sign_ups_expires_at").on(table.expiresAt),
    index("sign_ups_email").on(sql`lower(${table.email})`),
  ],
);

/** Someone who forgot a password, also where nobody has that address; and the recovery session that the link opens. */
export const passwordResets = pgTable(
  "password_resets",
  {
    id: uuid("id").primaryKey(),
    /** Null where nobody has the address. Not a foreign key, which would cost time where there is somebody. */
    userId: uuid("user_id"),
    email: text("email").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    linkHash: bytes("link_hash").notNull(),
    resendState: resendState(),
    mailedAt: instant("mailed_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    recoveryHash: bytes("recovery_hash"),
    recoveryExpiresAt: instant("recovery_expires_at"),
    /** The provider's recovery session, encrypted, where another provider keeps the password. */
    providerSession: bytes("provider_session"),
    usedAt: instant("used_at"),
  },
  (table) => [
    uniqueIndex("password_resets_token_hash_unique").on(table.tokenHash),
    uniqueIndex("password_resets_link_hash_unique").on(table.linkHash),
    uniqueIndex("password_resets_recovery_hash_unique").on(table.recoveryHash),
    index("password_resets_user_id").on(table.userId),
    index("password_resets_expires_at").on(table.expiresAt),
  ],
);

/** The address for campaign mail that a member has yet to show is theirs: one at a time. */
export const campaignEmails = pgTable(
  "campaign_emails",
  {
    userId: uuid("user_id")
      .primaryKey()
      .references(() => users.id),
    /** Another one for each address. */
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
  (table) => [
    uniqueIndex("campaign_emails_token_hash_unique").on(table.tokenHash),
    index("campaign_emails_expires_at").on(table.expiresAt),
  ],
);

/** Bot-check tokens already spent: the unique key makes each one single-use. */
export const botCheckUses = pgTable(
  "bot_check_uses",
  {
    tokenId: text("token_id").primaryKey(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("bot_check_uses_expires_at").on(table.expiresAt)],
);
