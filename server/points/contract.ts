import * as z from "zod";
import { endpoint, queryInteger } from "../http/contract.ts";

export const PointsCategory = z.enum(["Connectivity", "Referral", "Rewards", "Others"]);
export type PointsCategory = z.infer<typeof PointsCategory>;

export const PointsBreakdownEntry = z.object({
  category: z.string().nullable(),
  color: z.string().nullable(),
  percentage: z.number().nullable(),
  value: z.number().nullable(),
});
export type PointsBreakdownEntry = z.infer<typeof PointsBreakdownEntry>;

export const UserStats = z
  .object({
    user_id: z.string(),
    heartbeats: z.number(),
    heartbeats_genesis_snapshot: z.number(),
    /** Beyond the specification, so optional: another backend may not send it. */
    last_heartbeat_at: z.iso.datetime().nullable().optional(),
    points_today: z.number(),
    points_total: z.number(),
    total_referrals: z.number(),
    /** Beyond the specification, so optional: referrals whose points were claimed. */
    successful_referrals: z.number().optional(),
    total_referral_points: z.number(),
    total_includes_all_points: z.boolean(),
    points_breakdown: z.array(PointsBreakdownEntry),
  })
  .meta({ id: "UserStats" });
export type UserStats = z.infer<typeof UserStats>;

export const PointsRange = z.enum(["last7days", "last30days", "last90days"]);
export type PointsRange = z.infer<typeof PointsRange>;

/** One UTC day. `total` also counts the category Others, which has no field of its own. */
export const PointsDay = z.object({
  date: z.string(),
  connectivity: z.number(),
  referral: z.number(),
  rewards: z.number(),
  total: z.number(),
});
export type PointsDay = z.infer<typeof PointsDay>;

export const PointsHistory = z
  .object({
    success: z.boolean(),
    range: z.string(),
    totalEntries: z.number(),
    pointsTotal: z.number(),
    history: z.object({ average: z.number(), data: z.array(PointsDay) }),
  })
  .meta({ id: "PointsHistory" });
export type PointsHistory = z.infer<typeof PointsHistory>;

export const PointsLogEntry = z.object({
  category: PointsCategory,
  points: z.number(),
  comment: z.string(),
  timestamp: z.iso.datetime(),
});
export type PointsLogEntry = z.infer<typeof PointsLogEntry>;

export const PointsLog = z.object({ data: z.array(PointsLogEntry), total: z.number().int() }).meta({ id: "PointsLog" });
export type PointsLog = z.infer<typeof PointsLog>;

/** What earns points in this installation, in points and seconds; the same for everybody. */
export const PointsRules = z
  .object({
    pointsPerHeartbeat: z.number(),
    /** One heartbeat counts in each interval of this length. */
    heartbeatIntervalSeconds: z.number().int(),
    /** For as long after the fact a heartbeat still counts. */
    lateHeartbeatSeconds: z.number().int(),
    /** For the heartbeat reward, for a referral and for a Machine ID. */
    heartbeatsRequired: z.number().int(),
    heartbeatReward: z.number(),
    /** To the friend who joins with a link, and to the member whose link it was once the referral is claimed. */
    referralPoints: z.number(),
    contentPoints: z.object({ profile: z.number(), post: z.number(), comment: z.number() }),
  })
  .meta({ id: "PointsRules" });
export type PointsRules = z.infer<typeof PointsRules>;

/** A calendar day stands for the whole UTC day, as first or last day of a range. */
const LogDate = z.union([z.iso.date(), z.iso.datetime({ offset: true })], "Use a date such as 2026-11-20.");

export const PointsLogQuery = z
  .object({
    page: queryInteger({ min: 1, max: 1_000_000, default: 1 }),
    limit: queryInteger({ min: 1, max: 100, default: 10 }),
    category: PointsCategory.optional(),
    startDate: LogDate.optional(),
    endDate: LogDate.optional(),
  })
  .meta({ id: "PointsLogQuery" });
export type PointsLogQuery = z.infer<typeof PointsLogQuery>;

export const readStats = endpoint({
  method: "GET",
  path: "/api/users/stats",
  service: "main",
  access: "member",
  summary: "Totals, today's points and breakdown of the member",
  response: UserStats,
});

export const readPointsHistory = endpoint({
  method: "GET",
  path: "/api/users/points-history",
  service: "main",
  access: "member",
  summary: "Points by UTC day over a range that ends today",
  query: z.object({ range: PointsRange }),
  response: PointsHistory,
});

export const readPointsLog = endpoint({
  method: "GET",
  path: "/api/users/points-log",
  service: "main",
  access: "member",
  summary: "The member's ledger rows, newest first",
  query: PointsLogQuery,
  response: PointsLog,
});

export const readPointsRules = endpoint({
  method: "GET",
  path: "/api/points/rules",
  service: "main",
  access: "anyone",
  summary: "What earns points, and how many",
  response: PointsRules,
});
