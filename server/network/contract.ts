import * as z from "zod";
import { endpoint } from "../http/contract.ts";

const Count = z.number().int();

/** What waits for a decision or a confirmation is counted up to here: no page is to wait for more. */
export const MOST_COUNTED = 10_000;

export const NetworkOverview = z
  .object({
    /** When members, points and claims were summed up: by a job, every few minutes. Null where it has not run yet. */
    summedAt: z.iso.datetime().nullable(),
    /** Accounts, each of whose addresses was confirmed, and those that began today. */
    members: z.object({ total: Count, joinedToday: Count, leftToday: Count }),
    /** Sign-ups whose address is not confirmed yet: MOST_COUNTED at most. */
    unconfirmed: Count,
    /** Members whose nodes were heard lately. */
    heard: z.object({ inHour: Count, inDay: Count }),
    /** Posted today, by the UTC day. */
    points: z.object({ connectivity: z.number(), referral: z.number(), rewards: z.number(), others: z.number() }),
    /** Rewards and invitations claimed today. */
    claims: Count,
    /** Invitations that wait for a decision: MOST_COUNTED at most. */
    heldReferrals: Count,
    /** Adjustments of points that wait for a second administrator: MOST_COUNTED at most. */
    adjustmentRequests: Count,
    /** What waits in the background, and for how many seconds the longest due has. */
    queue: z.array(z.object({ kind: z.string(), queued: Count, dead: Count, oldestDueSeconds: z.number() })),
    chain: z.object({
      isOk: z.boolean(),
      /** For the operator, where it is not. */
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
