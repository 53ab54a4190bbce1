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

export const readDataStats = endpoint({
  method: "GET",
  path: "/api/users/data-stats",
  service: "main",
  access: "member",
  summary: "What the member's node has gathered",
  response: DataStats,
});

export const readContentPointsHistory = endpoint({
  method: "GET",
  path: "/api/users/content-points-history",
  service: "main",
  access: "member",
  summary: "Points for gathered content, newest first",
  query: z.object({
    page: queryInteger({ min: 1, max: 1_000_000, default: 1 }),
    limit: queryInteger({ min: 1, max: 100, default: 5 }),
  }),
  response: ContentPointsHistory,
});
