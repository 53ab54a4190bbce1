import * as z from "zod";
import { because, Doer, ListQuery, listPage, MemberName } from "../administration/contract.ts";
import { endpoint } from "../http/contract.ts";
import { roundPoints } from "../points/amount.ts";
import { PointsCategory } from "../points/contract.ts";

const MOST = 1_000_000;

export const Adjustment = z.object({
  member: MemberName,
  points: z
    .number("Enter a number of points.")
    .min(-MOST, `Take ${MOST.toLocaleString("de-DE")} points at most.`)
    .max(MOST, `Give ${MOST.toLocaleString("de-DE")} points at most.`)
    .refine(
      (points) => points !== 0 && roundPoints(points) === points,
      "Enter points other than 0, with two decimals at most.",
    ),
  /** An idempotency key, chosen by the caller: the adjustment is made once, however often it is sent. */
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
    /** Shown to the member in their points log. */
    reason: z.string(),
    requestedBy: Doer,
    requestedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** "void" if the requester is no longer an administrator, or became one again after asking. */
    state: z.enum(["waiting", "approved", "declined", "expired", "void"]),
    decidedBy: Doer.nullable(),
    decidedAt: z.iso.datetime().nullable(),
    /** Whether the caller made the request: then another administrator has to approve it. */
    isOwn: z.boolean(),
  })
  .meta({ id: "AdjustmentRequest" });
export type AdjustmentRequest = z.infer<typeof AdjustmentRequest>;

export const AdjustmentRequestsQuery = ListQuery.extend({
  /** Requests that can still be decided, oldest first; or all requests ever made, newest first. */
  show: z.enum(["waiting", "all"]).default("waiting"),
});
export type AdjustmentRequestsQuery = z.output<typeof AdjustmentRequestsQuery>;

export const AdjustmentRequests = listPage(AdjustmentRequest)
  .extend({
    /** How many points the caller may give and take alone per day (UTC), and how many of those are left today. */
    alone: z.object({ perDay: z.number(), left: z.number() }),
  })
  .meta({ id: "AdjustmentRequests" });
export type AdjustmentRequests = z.infer<typeof AdjustmentRequests>;

export const AdjustmentOutcome = z
  .object({
    /** "already" if this key was sent before with the same adjustment: nothing is done. */
    outcome: z.enum(["posted", "waiting", "already"]),
    /** The current state. To repeat a request that is declined, expired or void, use another key. */
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
