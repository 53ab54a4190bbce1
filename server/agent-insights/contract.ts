import * as z from "zod";
import { endpoint, queryInteger } from "../http/contract.ts";

export const DataStats = z
  .object({
    total_jobs: z.number(),
    total_jobs_points: z.number(),
    profiles_amount: z.number(),
    comments_amount: z.number(),
    posts_amount: z.number(),
    result_size: z.number(),
  })
  .meta({ id: "DataStats" });
export type DataStats = z.infer<typeof DataStats>;

export const ContentKind = z.enum(["profile", "comment", "post"]);
export type ContentKind = z.infer<typeof ContentKind>;

export const ContentPointsEntry = z.object({
  kind: ContentKind,
  title: z.string(),
  points: z.number(),
  timestamp: z.iso.datetime(),
});
export type ContentPointsEntry = z.infer<typeof ContentPointsEntry>;

export const ContentPointsHistory = z
  .object({ data: z.array(ContentPointsEntry), total: z.number().int() })
  .meta({ id: "ContentPointsHistory" });
export type ContentPointsHistory = z.infer<typeof ContentPointsHistory>;

/** The most jobs in one request, and the most items of all of them together: about 50 ms of database time. */
const MAX_JOBS_PER_BATCH = 100;
export const MAX_ITEMS_PER_BATCH = 200;

const Reference = z.string().trim().min(1).max(128);

/** An item that a node gathered. `reference` is the node's own id for it, which counts once per member and kind. */
const GatheredItem = z.object({
  kind: ContentKind,
  reference: Reference,
  title: z.string().trim().min(1).max(300),
});

export const JobResultsInput = z.object({
  jobs: z
    .array(
      z.object({
        /** The node's own id of the job, which counts once per member. */
        jobId: Reference,
        finishedAt: z.iso.datetime({ offset: true }),
        /** In bytes. */
        resultSize: z.number().int().min(0).max(1_000_000_000_000),
        items: z.array(GatheredItem).max(MAX_ITEMS_PER_BATCH),
      }),
    )
    .min(1)
    .max(MAX_JOBS_PER_BATCH)
    .refine(
      (jobs) => jobs.reduce((sum, { items }) => sum + items.length, 0) <= MAX_ITEMS_PER_BATCH,
      `Send at most ${MAX_ITEMS_PER_BATCH} items in one batch.`,
    )
    .meta({ description: `At most ${MAX_ITEMS_PER_BATCH} items in all.` }),
});
export type JobResultsInput = z.infer<typeof JobResultsInput>;

/** `duplicates` are jobs that were counted before: sending a batch again is harmless. */
export const JobResults = z
  .object({
    accepted: z.number().int(),
    duplicates: z.number().int(),
    refused: z.array(z.object({ jobId: z.string(), reason: z.enum(["too_early", "too_late"]), message: z.string() })),
    /** New items, and the points they earned. */
    items: z.number().int(),
    points: z.number(),
    /** How many of the new items are kept without points, because their day has reached its cap. */
    itemsBeyondCap: z.number().int(),
  })
  .meta({ id: "JobResults" });
export type JobResults = z.infer<typeof JobResults>;

/** A UTC day's jobs and what they gathered. The size is in bytes, rounded if a number cannot hold it exactly. */
export const JobsDay = z.object({
  date: z.iso.date(),
  jobs: z.number().int(),
  profiles: z.number().int(),
  comments: z.number().int(),
  posts: z.number().int(),
  resultSize: z.number(),
  points: z.number(),
});
export type JobsDay = z.infer<typeof JobsDay>;

export const JobsStats = z.object({ data: z.array(JobsDay) }).meta({ id: "JobsStats" });
export type JobsStats = z.infer<typeof JobsStats>;

export const JobsStatsQuery = z.object({ days: queryInteger({ min: 1, max: 90, default: 30 }) });
export type JobsStatsQuery = z.infer<typeof JobsStatsQuery>;

export const sendJobResults = endpoint("POST /api/jobs/results", {
  access: "node",
  summary: "Record finished jobs of a node and what they gathered, one or many",
  body: JobResultsInput,
  response: JobResults,
  fails: ["TOO_MANY_ATTEMPTS"],
});

export const readDailyJobs = endpoint("GET /api/jobs/daily-stats", {
  summary: "The member's jobs by day, oldest first, including days without any",
  mayLag: true,
  query: JobsStatsQuery,
  response: JobsStats,
});

export const readNetworkJobs = endpoint("GET /api/jobs/global-stats", {
  summary: "Everybody's jobs by day, oldest first, including days without any",
  mayLag: true,
  query: JobsStatsQuery,
  response: JobsStats,
});

export const readDataStats = endpoint("GET /api/users/data-stats", {
  summary: "What the member's node has gathered",
  mayLag: true,
  response: DataStats,
});

export const readContentPointsHistory = endpoint("GET /api/users/content-points-history", {
  summary: "Points for gathered content, newest first",
  mayLag: true,
  query: z.object({
    page: queryInteger({ min: 1, max: 1_000_000, default: 1 }),
    limit: queryInteger({ min: 1, max: 100, default: 5 }),
  }),
  response: ContentPointsHistory,
});
