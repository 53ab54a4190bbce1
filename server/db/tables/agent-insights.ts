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

/** Columns that are summed per day, for each member and for the whole network. */
const sums = () => ({
  jobs: integer("jobs").notNull(),
  profiles: integer("profiles").notNull(),
  comments: integer("comments").notNull(),
  posts: integer("posts").notNull(),
  /** In bytes. */
  resultSize: bigint("result_size", { mode: "number" }).notNull(),
  points: points("points").notNull(),
});

/** A job that a member's node has finished. The content it gathered is in content_contributions. */
export const jobs = pgTable(
  "jobs",
  {
    userId: memberId(),
    id: uuid("id").notNull(),
    /** The node's own id for the job, unique per member. */
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

/** A member's jobs on a UTC day, updated in the transaction that records a job. */
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
 * Everybody's jobs on a UTC day. The members are spread over several rows per day, so that they do not wait for each
 * other.
 */
export const jobsNetworkDaily = pgTable(
  "jobs_network_daily",
  { day: date("day").notNull(), part: smallint("part").notNull(), ...sums() },
  (table) => [
    primaryKey({ columns: [table.day, table.part] }),
    check("jobs_network_daily_part", sql`${table.part} between 0 and 15`),
  ],
);

/** Profiles, comments and posts that a member's node gathered. Each earns points once. */
export const contentContributions = pgTable(
  "content_contributions",
  {
    userId: memberId(),
    id: uuid("id").notNull(),
    kind: text("kind", { enum: ["profile", "comment", "post"] }).notNull(),
    /** The gatherer's own id for the item, unique per member and kind. */
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
