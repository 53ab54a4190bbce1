import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, points } from "../columns.ts";
import { memberId } from "./users.ts";

/** Added up for a member's day and for everybody's. */
const sums = () => ({
  jobs: integer("jobs").notNull(),
  profiles: integer("profiles").notNull(),
  comments: integer("comments").notNull(),
  posts: integer("posts").notNull(),
  /** In bytes. */
  resultSize: bigint("result_size", { mode: "number" }).notNull(),
  points: points("points").notNull(),
});

/** A finished job of a member's node. What it gathered stands in content_contributions. */
export const jobs = pgTable(
  "jobs",
  {
    userId: memberId(),
    id: uuid("id").notNull(),
    /** The node's own id of the job: unique for a member. */
    reference: text("reference").notNull(),
    deviceId: uuid("device_id"),
    finishedAt: instant("finished_at").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** In bytes. */
    resultSize: bigint("result_size", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex("jobs_reference_unique").on(table.userId, table.reference),
    index("jobs_received_at").on(table.receivedAt),
  ],
);

/** A member's jobs of a UTC day, kept in the transaction that adds to them. */
export const jobsDaily = pgTable(
  "jobs_daily",
  {
    userId: memberId(),
    day: date("day").notNull(),
    ...sums(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
);

/**
 * Everybody's jobs of a UTC day, in parts that the members are spread over, so that they do not wait for each other.
 */
export const jobsNetworkDaily = pgTable(
  "jobs_network_daily",
  { day: date("day").notNull(), part: smallint("part").notNull(), ...sums() },
  (table) => [
    primaryKey({ columns: [table.day, table.part] }),
    check("jobs_network_daily_part", sql`${table.part} between 0 and 15`),
  ],
);

/** Profiles, comments and posts that a member's node gathered, each worth points once. */
export const contentContributions = pgTable(
  "content_contributions",
  {
    userId: memberId(),
    id: uuid("id").notNull(),
    kind: text("kind", { enum: ["profile", "comment", "post"] }).notNull(),
    /** The gatherer's own id of the item: together with the kind unique for a member. */
    reference: text("reference").notNull(),
    title: text("title").notNull(),
    points: points("points").notNull(),
    gatheredAt: instant("gathered_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex("content_contributions_reference_unique").on(table.userId, table.kind, table.reference),
    index("content_contributions_by_time").on(table.userId, table.gatheredAt.desc(), table.id.desc()),
  ],
);

export const contentTotals = pgTable("content_totals", {
  userId: memberId().primaryKey(),
  contributions: integer("contributions").notNull().default(0),
});
