import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, logPosition } from "../columns.ts";
import { memberId } from "./users.ts";

/** One row per sign-in. The token itself is never stored, only its SHA-256. */
export const sessions = pgTable(
  "sessions",
  {
    userId: memberId(),
    id: uuid("id").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** Accurate to a few minutes: writing on every request would be too much. */
    lastSeenAt: instant("last_seen_at").notNull().defaultNow(),
    /** When the member last entered their password. Null if the session began with a mailed code or link. */
    passwordAt: instant("password_at"),
    /** The device that signed in, in words. */
    device: text("device").notNull().default("An unknown device"),
    /** The network it signed in from: the IP address without its last part. */
    network: text("network"),
    /** The provider's session behind this one, encrypted, and when to refresh it. */
    providerSession: bytes("provider_session"),
    providerExpiresAt: instant("provider_expires_at"),
    /**
     * A replica must have replayed the primary's log up to here to show the member's own writes. Null until a position
     * is recorded.
     */
    readsFrom: logPosition("reads_from"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    // Not unique: two values of 256 random bits never collide, and unique keys without the member hinder sharding.
    index("sessions_token_hash").on(table.tokenHash),
    index("sessions_expires_at").on(table.expiresAt),
    index("sessions_last_seen_at").on(table.lastSeenAt),
    /** Sessions that have ended here but not yet at the provider. There are never many. */
    index("sessions_to_release")
      .on(table.userId)
      .where(sql`${table.providerSession} is not null and ${table.revokedAt} is not null`),
  ],
);

/** Browsers that a member has signed in with before, identified by the hash of the token in each browser's cookie. */
export const knownDevices = pgTable(
  "known_devices",
  {
    userId: memberId(),
    tokenHash: bytes("token_hash").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.tokenHash] }),
    index("known_devices_last_seen_at").on(table.lastSeenAt),
  ],
);
