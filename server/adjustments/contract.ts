import * as z from "zod";
import { because, Doer, ListQuery, listPage, MemberName } from "../administration/contract.ts";
import { endpoint } from "../http/contract.ts";
import { PointsCategory } from "../points/contract.ts";

const MOST = 1_000_000;

export const Adjustment = z.object({
  member: MemberName,
  points: z
    .number("Enter a number of points.")
    .min(-MOST, `Take ${MOST.toLocaleString("de-DE")} points at most.`)
    .max(MOST, `Give ${MOST.toLocaleString("de-DE")} points at most.`)
    .refine(
      (points) => points !== 0 && Math.round(points * 100) / 100 === points,
      "Enter points other than 0, with two decimals at most.",
    ),
  /** Chosen by whoever adjusts: a request that is sent again with the same key is carried out once. */
  key: z.string("Name the adjustment, with --key <name>.").trim().min(1).max(100),
  category: PointsCategory.default("Others"),
});
export type Adjustment = z.output<typeof Adjustment>;

export const AdjustmentRequest = z
  .object({
    id: z.uuid(),
    member: z.object({ id: z.string(), email: z.string().nullable() }),
    points: z.number(),
    category: PointsCategory,
    /** What the member reads in their points log. */
    reason: z.string(),
    requestedBy: Doer,
    requestedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** "void" where whoever asked is no administrator any more, or became one anew. */
    state: z.enum(["waiting", "approved", "declined", "expired", "void"]),
    decidedBy: Doer.nullable(),
    decidedAt: z.iso.datetime().nullable(),
    /** Whether the caller asked for it: then another one has to agree. */
    isOwn: z.boolean(),
  })
  .meta({ id: "AdjustmentRequest" });
export type AdjustmentRequest = z.infer<typeof AdjustmentRequest>;

export const AdjustmentRequestsQuery = ListQuery.extend({
  /** Those that can still be decided on, the oldest first; or all there ever were, the newest first. */
  show: z.enum(["waiting", "all"]).default("waiting"),
});
export type AdjustmentRequestsQuery = z.output<typeof AdjustmentRequestsQuery>;

export const AdjustmentRequests = listPage(AdjustmentRequest)
  .extend({
    /** Points that the caller can give and take alone on one day (UTC), and what is left of it today. */
    alone: z.object({ perDay: z.number(), left: z.number() }),
  })
  .meta({ id: "AdjustmentRequests" });
export type AdjustmentRequests = z.infer<typeof AdjustmentRequests>;

export const AdjustmentOutcome = z
  .object({
    /** "already" where the same was sent by this key before: nothing is done. */
    outcome: z.enum(["posted", "waiting", "already"]),
    /** How it stands now. What is declined, expired or void is asked for again by another key. */
    state: z.enum(["posted", "waiting", "declined", "expired", "void"]),
    member: z.object({ id: z.string(), email: z.string() }),
    points: z.number(),
  })
  .meta({ id: "AdjustmentOutcome" });
export type AdjustmentOutcome = z.infer<typeof AdjustmentOutcome>;

const params = z.object({ id: z.uuid("That is not the id of a request.").toLowerCase() });

export const readAdjustmentRequests = endpoint("GET /api/admin/adjustments", {
  access: "administrator",
  summary: "Adjustments that wait for a second administrator, and decided ones",
  query: AdjustmentRequestsQuery,
  response: AdjustmentRequests,
});

export const makeAdjustment = endpoint("POST /api/admin/adjustments", {
  access: "administrator",
  summary: "Give or take points: at once, or as a request where a second administrator has to agree",
  body: Adjustment.extend(because),
  response: AdjustmentOutcome,
  fails: ["NOT_FOUND", "CONFLICT"],
});

export const approveAdjustment = endpoint("POST /api/admin/adjustments/{id}/approve", {
  access: "administrator",
  summary: "Approve another administrator's request: the points are posted",
  params,
  body: z.object(because),
  response: AdjustmentRequest,
  fails: ["NOT_FOUND", "CONFLICT"],
});

export const declineAdjustment = endpoint("POST /api/admin/adjustments/{id}/decline", {
  access: "administrator",
  summary: "Decline a request, also your own: nothing is posted",
  params,
  body: z.object(because),
  response: AdjustmentRequest,
  fails: ["NOT_FOUND", "CONFLICT"],
});
