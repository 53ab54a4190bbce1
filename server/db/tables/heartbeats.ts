import { sql } from "drizzle-orm";
import { bigint, check, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";
import { memberId } from "./users.ts";

/** A machine that sends heartbeats for a member. Each has its own key, which can be revoked separately. */
export const nodeDevices = pgTable(
  "node_devices",
  {
    userId: memberId(),
    id: uuid("id").notNull(),
    name: text("name").notNull(),
    keyHash: bytes("key_hash").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
    /**
     * The time of the last heartbeat that filled no slot because another one had. Those that did are in `heartbeats`.
     */
    lastSpareBeatAt: instant("last_spare_beat_at"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    // Not unique, for the same reason as the index on `sessions`.
    index("node_devices_key_hash").on(table.keyHash),
  ],
);

/** The latest heartbeats of each member that did not count, and why. Sending the same one again adds no row. */
export const refusedBeats = pgTable(
  "refused_beats",
  {
    userId: memberId(),
    /**
     * The time that the node claims. With a revoked key the claim is not read: this is then the start of a quarter
     * hour.
     */
    claimedAt: instant("claimed_at").notNull(),
    reason: text("reason", { enum: ["too_early", "too_late", "revoked_key"] }).notNull(),
    /** All zeros if the heartbeat was sent with a session token. */
    deviceId: uuid("device_id").notNull(),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.claimedAt, table.reason, table.deviceId] }),
    index("refused_beats_by_time").on(table.userId, table.receivedAt.desc()),
    index("refused_beats_received_at").on(table.receivedAt),
    check("refused_beats_reason", sql`${table.reason} in ('too_early', 'too_late', 'revoked_key')`),
  ],
);

/**
 * Accepted heartbeats: one per member and slot, which the primary key enforces. Partitioned by the month of the slot
 * (UTC), unless the table was already large when partitioning was introduced (docs/decisions/0062).
 */
export const heartbeats = pgTable(
  "heartbeats",
  {
    userId: memberId(),
    /** Start of the interval that the heartbeat fills. */
    slotAt: instant("slot_at").notNull(),
    beatAt: instant("beat_at").notNull(),
    receivedAt: instant("received_at").notNull().defaultNow(),
    deviceId: uuid("device_id"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.slotAt] })],
);

export const heartbeatTotals = pgTable("heartbeat_totals", {
  userId: memberId().primaryKey(),
  heartbeats: bigint("heartbeats", { mode: "number" }).notNull().default(0),
  lastBeatAt: instant("last_beat_at"),
});

/** Sums of the months whose heartbeats have been removed: one row per member and month. */
export const heartbeatMonths = pgTable(
  "heartbeat_months",
  {
    userId: memberId(),
    /** The first day of the month. */
    month: date("month", { mode: "string" }).notNull(),
    heartbeats: integer("heartbeats").notNull(),
    firstSlotAt: instant("first_slot_at").notNull(),
    lastBeatAt: instant("last_beat_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.month] })],
);
