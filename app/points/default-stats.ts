import type { UserStats } from "../../server/points/contract.ts";

/** The stats shown for a member while nothing is known about them (product specification, section 3: user store). */
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

/** Fills whatever a response leaves out with zero, or with nothing. */
export const fillStats = (answer: UserStats): UserStats => ({ ...DEFAULT_STATS, ...answer });
