import * as z from "zod";
import { endpoint } from "../http/contract.ts";

const Count = z.number().int();

/** How many items that wait for a decision or a confirmation are counted at most, so that the page stays fast. */
export const MAX_COUNTED = 10_000;

export const NetworkOverview = z
  .object({
    /**
     * When members, points and claims were last summed up. A job does that every few minutes. Null before its first
     * run.
     */
    summedAt: z.iso.datetime().nullable(),
    /** Accounts with a confirmed address: in total, and those that joined or left today. */
    members: z.object({ total: Count, joinedToday: Count, leftToday: Count }),
    /** Sign-ups whose address is not confirmed yet, at most MAX_COUNTED. */
    unconfirmed: Count,
    /** Members whose nodes have sent a heartbeat lately. */
    heard: z.object({ inHour: Count, inDay: Count }),
    /** Points posted today, by the UTC day. */
    points: z.object({ connectivity: z.number(), referral: z.number(), rewards: z.number(), others: z.number() }),
    /** Rewards and invitations claimed today. */
    claims: Count,
    /** Invitations that wait for a decision, at most MAX_COUNTED. */
    heldReferrals: Count,
    /** Adjustments of points that wait for a second administrator, at most MAX_COUNTED. */
    adjustmentRequests: Count,
    /** What is queued in the background. `oldestDueSeconds` is how long the oldest due job has been waiting. */
    queue: z.array(z.object({ kind: z.string(), queued: Count, dead: Count, oldestDueSeconds: z.number() })),
    chain: z.object({
      isOk: z.boolean(),
      /** An explanation for the operator if `isOk` is false. */
      problem: z.string().nullable(),
      jobs: z.array(z.object({ state: z.string(), queued: Count })),
    }),
  })
  .meta({ id: "NetworkOverview" });
export type NetworkOverview = z.infer<typeof NetworkOverview>;

export const readOverview = endpoint("GET /api/admin/overview", {
  access: "administrator",
  summary: "The network at a glance: members, nodes, today's points and what waits",
  response: NetworkOverview,
});
