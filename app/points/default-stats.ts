import type { UserStats } from "../../server/points/contract.ts";

/** What is shown of a member as long as nothing is known of them (product specification, section 3: user store). */
export const DEFAULT_STATS: UserStats = {
  user_id: "",
  heartbeats: 0,
  heartbeats_genesis_snapshot: 0,
  points_today: 0,
  points_total: 0,
  total_referrals: 0,
  total_referral_points: 0,
  total_includes_all_points: false,
  points_breakdown: [],
};

/** Stats with zero, or nothing, for whatever an answer leaves out. */
export const fillStats = (answer: UserStats): UserStats => ({ ...DEFAULT_STATS, ...answer });
