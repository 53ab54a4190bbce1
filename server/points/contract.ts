import * as z from "zod";
import { CalendarDay, endpoint, queryInteger } from "../http/contract.ts";

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
    /**
     * The UTC day of `points_today`, which tells one day without points from the next. Beyond the specification, so
     * optional.
     */
    today: CalendarDay.optional(),
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

/** One UTC day. `total` includes the category Others, which has no field of its own. */
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
  /** Beyond the specification, so optional: another backend may not send it, and then a row cannot be opened. */
  id: z.string().optional(),
  category: PointsCategory,
  points: z.number(),
  comment: z.string(),
  // We send UTC. Another backend may send an offset.
  timestamp: z.iso.datetime({ offset: true }),
});
export type PointsLogEntry = z.infer<typeof PointsLogEntry>;

export const PointsLog = z
  .object({
    data: z.array(PointsLogEntry),
    total: z.number().int(),
    /** The sum over all rows that match the query, not just this page. Beyond the specification, so optional. */
    pointsTotal: z.number().optional(),
    /**
     * Since when heartbeats are listed. Earlier ones count in the totals and in the history only. Present only if some
     * of the member's heartbeats are no longer listed. Beyond the specification, so optional.
     */
    heartbeatsSince: z.iso.datetime().optional(),
  })
  .meta({ id: "PointsLog" });
export type PointsLog = z.infer<typeof PointsLog>;

/** Everything that explains a row of the log. `timestamp` is when it happened, `postedAt` when it was recorded. */
export const PointsLogDetail = z
  .object({
    id: z.string(),
    category: PointsCategory,
    points: z.number(),
    comment: z.string(),
    timestamp: z.iso.datetime(),
    postedAt: z.iso.datetime(),
    source: z.object({
      kind: z.string(),
      id: z.string(),
      /** The kind of event, in words. */
      title: z.string(),
      /** The device, friend, reward or item behind it, if it belongs to the member. */
      name: z.string().nullable(),
      /** When the event itself happened, if known. */
      occurredAt: z.iso.datetime().nullable(),
    }),
    rule: z.object({
      name: z.string(),
      version: z.number().int(),
      /** What the rule says, in words. */
      text: z.string().nullable(),
      /** What the rule gives today. Null if it names no amount. */
      points: z.number().nullable(),
    }),
    /** The member's points after this row, in the order of the log: overall, and in the row's category. */
    runningTotal: z.number(),
    categoryTotal: z.number(),
  })
  .meta({ id: "PointsLogDetail" });
export type PointsLogDetail = z.infer<typeof PointsLogDetail>;

/** What earns points in this installation, in points and seconds. The same for everybody. */
export const PointsRules = z
  .object({
    pointsPerHeartbeat: z.number(),
    /** One heartbeat counts in each interval of this length. */
    heartbeatIntervalSeconds: z.number().int(),
    /** How late a heartbeat may arrive and still count. */
    lateHeartbeatSeconds: z.number().int(),
    /** How many heartbeats the heartbeat reward, a referral and a Machine ID require. */
    heartbeatsRequired: z.number().int(),
    heartbeatReward: z.number(),
    /** For the friend who joins with a link, and for the member who shared it once they claim the referral. */
    referralPoints: z.number(),
    contentPoints: z.object({ profile: z.number(), post: z.number(), comment: z.number() }),
    /** The maximum for the content of one UTC day. */
    contentPointsPerDay: z.number(),
  })
  .meta({ id: "PointsRules" });
export type PointsRules = z.infer<typeof PointsRules>;

/** A time or a calendar day. As the first or last day of a range, a calendar day stands for the whole UTC day. */
const LogDate = z.union([z.iso.date(), z.iso.datetime({ offset: true })], "Use a date such as 2026-11-20.");

export const PointsLogQuery = z
  .object({
    page: queryInteger({ min: 1, max: 1_000_000, default: 1 }),
    limit: queryInteger({ min: 1, max: 100, default: 10 }),
    category: PointsCategory.optional(),
    startDate: LogDate.optional().meta({ description: "The first time, or the first day (UTC)" }),
    endDate: LogDate.optional().meta({ description: "The last time, or the last day (UTC), which is part of the log" }),
  })
  .meta({ id: "PointsLogQuery" });
export type PointsLogQuery = z.infer<typeof PointsLogQuery>;

export const PointsLogFilter = PointsLogQuery.omit({ page: true, limit: true }).meta({ id: "PointsLogFilter" });
export type PointsLogFilter = z.infer<typeof PointsLogFilter>;

/** The most days that a history may have. */
const MAX_HISTORY_DAYS = 366;

/** A named range, or its first and last day (UTC), both included. */
export const PointsHistoryQuery = z
  .object({
    range: PointsRange.optional().meta({ description: "Give this, or `startDate` and `endDate`" }),
    startDate: CalendarDay.optional().meta({ description: `The first day (UTC), of ${MAX_HISTORY_DAYS} at most` }),
    endDate: CalendarDay.optional().meta({ description: "The last day (UTC), which is part of the history" }),
  })
  .refine(({ range, startDate, endDate }) => (range ? !startDate && !endDate : startDate && endDate), {
    path: ["range"],
    message: "Give a range such as last7days, or both a first and a last day.",
  })
  .refine(({ startDate = "", endDate = "" }) => !(daysBetween(startDate, endDate) < 0), {
    path: ["endDate"],
    message: "The last day comes before the first.",
  })
  .refine(({ startDate = "", endDate = "" }) => !(daysBetween(startDate, endDate) >= MAX_HISTORY_DAYS), {
    path: ["startDate"],
    message: `A history has at most ${MAX_HISTORY_DAYS} days.`,
  });
export type PointsHistoryQuery = z.output<typeof PointsHistoryQuery>;

/** Returns NaN if either is not a date. */
const daysBetween = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / 86_400_000;

export const readStats = endpoint("GET /api/users/stats", {
  summary: "Totals, today's points and breakdown of the member",
  mayLag: true,
  response: UserStats,
});

export const readPointsHistory = endpoint("GET /api/users/points-history", {
  summary: "Points by UTC day, over a range that ends today or from one day to another",
  mayLag: true,
  query: PointsHistoryQuery,
  response: PointsHistory,
});

export const readPointsLog = endpoint("GET /api/users/points-log", {
  summary:
    "The member's points log, newest first; an installation may list single heartbeats only for some months, and says from when on",
  mayLag: true,
  query: PointsLogQuery,
  response: PointsLog,
});

export const readPointsLogDetail = endpoint("GET /api/users/points-log/{id}", {
  summary: "One entry of the member's log: what it came from, by which rule, and the new total",
  mayLag: true,
  params: z.object({ id: z.uuid("There is no such entry.") }),
  response: PointsLogDetail,
  fails: ["NOT_FOUND"],
});

export const exportPointsLog = endpoint("GET /api/users/points-log/export", {
  summary:
    "The member's log as comma-separated values, filtered, newest first; if old heartbeats are no longer listed, the last line says from when on they are",
  query: PointsLogFilter,
  mediaType: "text/csv",
  response: z.string(),
  fails: ["TOO_MANY_ATTEMPTS"],
});

export const readPointsRules = endpoint("GET /api/points/rules", {
  access: "anyone",
  summary: "What earns points, and how many",
  response: PointsRules,
});
