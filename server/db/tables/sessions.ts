import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, logPosition } from "../columns.ts";
import { memberId } from "./users.ts";

/** One row a sign-in. The token itself is never stored, only its SHA-256. */
export const sessions = pgTable(
  "sessions",
  {
    userId: memberId(),
    id: uuid("id").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** To within a few minutes: a write per request would be too many. */
    lastSeenAt: instant("last_seen_at").notNull().defaultNow(),
    /** When the password was given last: null where the session was begun by a mailed code or link. */
    passwordAt: instant("password_at"),
    /** What the sign-in was made with, in words. */
    device: text("device").notNull().default("An unknown device"),
    /** The network it came from: the member's address without its last part. */
    network: text("network"),
    /** The provider's own session behind this one, encrypted, and when it has to be refreshed. */
    providerSession: bytes("provider_session"),
    providerExpiresAt: instant("provider_expires_at"),
    /** A replica that has the primary's log up to here has what the member is to see; null while nobody has said. */
    readsFrom: logPosition("reads_from"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    // Not unique: two of 256 random bits never meet, and no key without the member stands in the way of a cluster.
    index("sessions_token_hash").on(table.tokenHash),
    index("sessions_expires_at").on(table.expiresAt),
    index("sessions_last_seen_at").on(table.lastSeenAt),
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
