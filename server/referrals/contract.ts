import * as z from "zod";
import { endpoint, Pagination, queryInteger } from "../http/contract.ts";

/** Extra points for a friend who joins with a member's link, and for the member who invited them. */
export const REFERRAL_POINTS = 1000;
export const REFERRAL_CODE_LENGTH = 5;

export const ReferralCode = z.string().length(REFERRAL_CODE_LENGTH, "Invalid referral code");

export const ReferralStatus = z.enum(["Success", "Pending", "Claimable"]);
export type ReferralStatus = z.infer<typeof ReferralStatus>;

export const Referral = z
  .object({
    id: z.string(),
    invitedPoints: z.number(),
    inviteeEmail: z.string().nullable(),
    inviteeHeartbeats: z.number(),
    inviteeUsername: z.string().nullable(),
    walletConnected: z.boolean(),
    invitedAt: z.iso.datetime(),
    status: ReferralStatus,
    canClaim: z.boolean(),
  })
  .meta({ id: "Referral" });
export type Referral = z.infer<typeof Referral>;

export const ReferralStats = z
  .object({
    totalReferralPoints: z.number(),
    successfulReferralsAmount: z.number(),
    pendingReferralsAmount: z.number(),
  })
  .meta({ id: "ReferralStats" });
export type ReferralStats = z.infer<typeof ReferralStats>;

export const Referrals = z
  .object({ success: z.boolean(), referrals: z.array(Referral), stats: ReferralStats, pagination: Pagination })
  .meta({ id: "Referrals" });
export type Referrals = z.infer<typeof Referrals>;

/** The page with and without the filter, from one call. */
export const ReferralsCombined = z.object({ unfiltered: Referrals, filtered: Referrals });
export type ReferralsCombined = z.infer<typeof ReferralsCombined>;

export const ReferralsQuery = z.object({
  page: queryInteger({ min: 1, max: 1_000_000, default: 1 }),
  limit: queryInteger({ min: 1, max: 25, default: 10 }),
});
export type ReferralsQuery = z.infer<typeof ReferralsQuery>;

export const readReferrals = endpoint({
  method: "GET",
  path: "/api/users/referrals-paginated",
  service: "main",
  access: "member",
  summary: "The friends a member invited, newest first",
  query: ReferralsQuery,
  response: Referrals,
});
