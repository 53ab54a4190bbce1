import { sql } from "drizzle-orm";
import { index, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, resendState } from "../columns.ts";

/**
 * A visitor who asked for an account and has yet to prove that they own the address. Only hashes of tokens are stored.
 */
export const signUps = pgTable(
  "sign_ups",
  {
    id: uuid("id").primaryKey(),
    tokenHash: bytes("token_hash").notNull(),
    linkHash: bytes("link_hash").notNull(),
    /** Hash of the latest code, keyed with a key that is not in the database: six digits could soon be guessed. */
    codeHash: bytes("code_hash").notNull(),
    codeAttempts: smallint("code_attempts").notNull().default(0),
    email: text("email").notNull(),
    /** Null if another provider keeps the password. */
    passwordHash: text("password_hash"),
    /**
     * The chosen password, sealed until the address is proved. Another provider may hold one that a stranger set
     * earlier.
     */
    sealedPassword: bytes("sealed_password"),
    /** Identifies the browser. Several sign-ups from one browser count as one person. */
    deviceHash: bytes("device_hash"),
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

/** A request to reset a password, also for an address that nobody has, and the recovery session that its link opens. */
export const passwordResets = pgTable(
  "password_resets",
  {
    id: uuid("id").primaryKey(),
    /**
     * Null if nobody has the address. Not a foreign key: checking one would take longer for an address that somebody
     * has.
     */
    userId: uuid("user_id"),
    email: text("email").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    linkHash: bytes("link_hash").notNull(),
    resendState: resendState(),
    mailedAt: instant("mailed_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    recoveryHash: bytes("recovery_hash"),
    recoveryExpiresAt: instant("recovery_expires_at"),
    /** The provider's recovery session, encrypted, if another provider keeps the password. */
    providerSession: bytes("provider_session"),
    usedAt: instant("used_at"),
  },
  (table) => [
    uniqueIndex("password_resets_token_hash_unique").on(table.tokenHash),
    uniqueIndex("password_resets_link_hash_unique").on(table.linkHash),
    uniqueIndex("password_resets_recovery_hash_unique").on(table.recoveryHash),
    index("password_resets_user_id").on(table.userId),
    index("password_resets_email").on(sql`lower(${table.email})`),
    index("password_resets_expires_at").on(table.expiresAt),
  ],
);
