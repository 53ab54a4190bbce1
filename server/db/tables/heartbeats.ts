import { sql } from "drizzle-orm";
import { bigint, check, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";
import { memberId } from "./users.ts";

/** A machine that beats for a member, with a key of its own that can be revoked alone. */
export const nodeDevices = pgTable(
  "node_devices",
  {
    userId: memberId(),
    id: uuid("id").notNull(),
    name: text("name").notNull(),
    keyHash: bytes("key_hash").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
    /** Of a beat that filled no slot, because another had: those that did are in the heartbeats. */
    lastSpareBeatAt: instant("last_spare_beat_at"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    // Not unique, as that of sessions.
    index("node_devices_key_hash").on(table.keyHash),
  ],
);

/** Beats that did not count, and why: the latest of each member. The same beat, sent again, is one row. */
export const refusedBeats = pgTable(
  "refused_beats",
  {
    userId: memberId(),
    /** When the node says it beat. With a revoked key that is not read: then the start of a quarter of an hour. */
    claimedAt: instant("claimed_at").notNull(),
    reason: text("reason", { enum: ["too_early", "too_late", "revoked_key"] }).notNull(),
    /** All zeros where it was sent with a sign-in. */
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
 * Accepted heartbeats: one a member and slot, which the primary key decides. Divided by the month of the slot (UTC),
 * but where it was large before it could be (docs/decisions/0062).
 */
export const heartbeats = pgTable(
  "heartbeats",
  {
    userId: memberId(),
    /** Start of the interval that the beat fills. */
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

/** What months of heartbeats came to whose rows are gone: a row a member and month. */
export const heartbeatMonths = pgTable(
  "heartbeat_months",
  {
    userId: memberId(),
    /** Its first day. */
    month: date("month", { mode: "string" }).notNull(),
    heartbeats: integer("heartbeats").notNull(),
    firstSlotAt: instant("first_slot_at").notNull(),
    lastBeatAt: instant("last_beat_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.month] })],
);
