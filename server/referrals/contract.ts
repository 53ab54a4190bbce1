import * as z from "zod";
import { CURSOR_FIELD, because, ListQuery, listPage } from "../administration/contract.ts";
import { endpoint, GenericResult, Pagination, queryInteger } from "../http/contract.ts";

/** Extra points for a friend who joins with a member's link, and for the member who invited them. */
export const REFERRAL_POINTS = 1000;
export const REFERRAL_CODE_LENGTH = 5;

const NO_CODE = "Invalid referral code";

export const ReferralCode = z.string(NO_CODE).length(REFERRAL_CODE_LENGTH, NO_CODE);

export const ReferralStatus = z.enum(["Success", "Pending", "Claimable"]);
export type ReferralStatus = z.infer<typeof ReferralStatus>;

/**
 * What a pending referral waits for: the friend's heartbeats or wallet, or a review. "left" means in vain, because the
 * friend has left.
 */
export const PendingReason = z.enum(["heartbeats", "wallet", "review", "left"]);
export type PendingReason = z.infer<typeof PendingReason>;

export const Referral = z
  .object({
    id: z.string(),
    invitedPoints: z.number(),
    inviteeEmail: z.string().nullable(),
    inviteeHeartbeats: z.number(),
    inviteeUsername: z.string().nullable(),
    walletConnected: z.boolean(),
    // In UTC here; another backend may send an offset.
    invitedAt: z.iso.datetime({ offset: true }),
    status: ReferralStatus,
    canClaim: z.boolean(),
    /** Only from backends that say why. */
    pendingReasons: z.array(PendingReason).optional(),
  })
  .meta({ id: "Referral" });
export type Referral = z.infer<typeof Referral>;

const ReferralStats = z
  .object({
    totalReferralPoints: z.number(),
    successfulReferralsAmount: z.number(),
    pendingReferralsAmount: z.number(),
  })
  .meta({ id: "ReferralStats" });

export const Referrals = z
  .object({ success: z.boolean(), referrals: z.array(Referral), stats: ReferralStats, pagination: Pagination })
  .meta({ id: "Referrals" });
export type Referrals = z.infer<typeof Referrals>;

export const ReferralsQuery = z.object({
  page: queryInteger({ min: 1, max: 1_000_000, default: 1 }),
  limit: queryInteger({ min: 1, max: 25, default: 10 }),
  status: ReferralStatus.optional(),
});
export type ReferralsQuery = z.infer<typeof ReferralsQuery>;

export const readReferrals = endpoint("GET /api/users/referrals-paginated", {
  summary:
    "The friends a member invited, first those to claim, then the newest, all or those of one status; the sums are of all",
  mayLag: true,
  query: ReferralsQuery,
  response: Referrals,
});

/** One page with and without the filter, from a single call. */
export const ReferralsCombined = z
  .object({ unfiltered: Referrals, filtered: Referrals })
  .meta({ id: "ReferralsCombined" });
export type ReferralsCombined = z.infer<typeof ReferralsCombined>;

export const readReferralsCombined = endpoint("GET /api/users/referrals-combined", {
  summary: "One page of a member's friends, both of all friends and of those with one status",
  mayLag: true,
  query: ReferralsQuery,
  response: ReferralsCombined,
});

/** The state of the referral programme for a member. */
export const ReferralCampaign = z
  .object({
    /** The code that friends join with; null before the member has one. */
    personalCode: z.string().nullable(),
    /** How many points the friend gets for joining, and the member once they claim. */
    referralPoints: z.number(),
    /** How many heartbeats the friend needs before the member can claim. */
    heartbeatsRequired: z.number().int(),
    stats: ReferralStats,
  })
  .meta({ id: "ReferralCampaign" });
export type ReferralCampaign = z.infer<typeof ReferralCampaign>;

export const readReferralCampaign = endpoint("GET /api/campaigns/referral", {
  summary: "The referral programme: the member's code, what a friend is worth, and how many there are",
  mayLag: true,
  response: ReferralCampaign,
});

export const claimReferral = endpoint("POST /api/campaigns/referral/{id}/claim", {
  summary: "Claim the points for a friend who has become active, once",
  params: z.object({ id: z.uuid("There is no such referral.") }),
  response: GenericResult,
  fails: ["NOT_FOUND", "CONFLICT"],
});

/** Why an invitation is held: nothing is paid until somebody has reviewed it. */
export const HeldReason = z.enum(["same-mailbox", "same-device", "disposable-address", "cycle", "returned"]);
export type HeldReason = z.infer<typeof HeldReason>;

/** The address is null if the account has been deleted. */
const Named = z.object({ id: z.string(), email: z.string().nullable() });

const Held = z.object({
  id: z.uuid(),
  inviter: Named,
  invitee: Named,
  reason: HeldReason.nullable(),
  heldAt: z.iso.datetime().nullable(),
});

export const HeldReferrals = listPage(Held).meta({ id: "HeldReferrals" });
export type HeldReferrals = z.infer<typeof HeldReferrals>;

export const HeldReferralsQuery = ListQuery.extend({ after: z.uuid().optional().meta(CURSOR_FIELD) });
export type HeldReferralsQuery = z.output<typeof HeldReferralsQuery>;

const Involved = Named.extend({ joinedAt: z.iso.datetime(), hasWallet: z.boolean() });

/**
 * The most that one page looks at: other accounts with the mailbox, and friends to count. More would not help to
 * decide.
 */
export const MAX_TWINS = 10;
export const MAX_FRIENDS = 10_000;

export const HeldReferralDetail = z
  .object({
    ...Held.shape,
    inviter: Involved.extend({
      /** How many friends they invited, and how many of those are held or were refused: counts at most MAX_FRIENDS. */
      friends: z.object({ invited: z.number().int(), held: z.number().int(), refused: z.number().int() }),
    }),
    invitee: Involved.extend({ heartbeats: z.number().int() }),
    /** Other accounts whose address leads to the friend's mailbox: the first MAX_TWINS. */
    sameMailbox: z.array(Named),
  })
  .meta({ id: "HeldReferralDetail" });
export type HeldReferralDetail = z.infer<typeof HeldReferralDetail>;

const params = z.object({ id: z.uuid("That is not the id of an invitation.").toLowerCase() });

export const readHeldReferrals = endpoint("GET /api/admin/referrals", {
  access: "administrator",
  summary: "Invitations that wait for a decision, the oldest first",
  query: HeldReferralsQuery,
  response: HeldReferrals,
});

export const readHeldReferral = endpoint("GET /api/admin/referrals/{id}", {
  access: "administrator",
  summary: "One held invitation, with what speaks for and against it",
  params,
  response: HeldReferralDetail,
  fails: ["NOT_FOUND"],
});

export const releaseHeldReferral = endpoint("POST /api/admin/referrals/{id}/release", {
  access: "administrator",
  summary: "Release a held invitation: pays the friend's points",
  params,
  body: z.object(because),
  response: GenericResult,
  fails: ["NOT_FOUND", "CONFLICT"],
});

export const refuseHeldReferral = endpoint("POST /api/admin/referrals/{id}/refuse", {
  access: "administrator",
  summary: "Refuse a held invitation for good: nobody is paid",
  params,
  body: z.object(because),
  response: GenericResult,
  fails: ["NOT_FOUND", "CONFLICT"],
});
