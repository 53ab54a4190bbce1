import type { ContentKind } from "../agent-insights/contract.ts";
import type { Env } from "../env.ts";
import { MAX_AGE_MS } from "../heartbeats/beat-window.ts";
import { HEARTBEATS_REQUIRED } from "../machine-id/contract.ts";
import { REFERRAL_POINTS } from "../referrals/contract.ts";
import type { PointsCategory, PointsRules } from "./contract.ts";

/**
 * What earns points. Every ledger row names its rule and version; a rule that changes its amount or its meaning
 * gets the next version, so that old rows keep saying what decided them.
 */
export type PointsRule = {
  /** The kind of event: with the event's own id unique for a member. */
  source: string;
  rule: string;
  version: number;
  category: PointsCategory;
};

export const RULES = {
  /** POINTS_PER_HEARTBEAT each. */
  heartbeat: { source: "heartbeat", rule: "points-per-heartbeat", version: 1, category: "Connectivity" },
  /** To the friend who joined with a member's link. */
  referralJoined: { source: "referral", rule: "referral-joined", version: 1, category: "Referral" },
  /** To the member whose friend met the conditions, once claimed. */
  referralClaimed: { source: "referral", rule: "referral-claimed", version: 1, category: "Referral" },
  /** The campaign's own bonus. */
  campaign: { source: "campaign", rule: "campaign-bonus", version: 1, category: "Rewards" },
  heartbeatReward: { source: "campaign", rule: "heartbeat-reward", version: 1, category: "Rewards" },
  /** Up to CONTENT_POINTS_PER_DAY, since version 2. */
  content: { source: "content", rule: "content-gathered", version: 2, category: "Others" },
  /** What a member brought along from before the ledger. */
  genesis: { source: "genesis", rule: "genesis-snapshot", version: 1, category: "Others" },
} as const satisfies Record<string, PointsRule>;

/** A correction keeps the category of the row that it takes back. */
export const reversalIn = (category: PointsCategory): PointsRule => ({
  source: "reversal",
  rule: "reversal",
  version: 1,
  category,
});

export const AMOUNTS = {
  referralJoined: REFERRAL_POINTS,
  referralClaimed: REFERRAL_POINTS,
  heartbeatReward: 500,
  content: { profile: 5, post: 2, comment: 0.5 } satisfies Record<ContentKind, number>,
};

/** The rules for those who are to be told of them: every figure is the one that postings are made with. */
export function readPointsRules(
  env: Pick<Env, "pointsPerHeartbeat" | "heartbeatIntervalSeconds" | "contentPointsPerDay">,
): PointsRules {
  return {
    pointsPerHeartbeat: env.pointsPerHeartbeat,
    heartbeatIntervalSeconds: env.heartbeatIntervalSeconds,
    lateHeartbeatSeconds: MAX_AGE_MS / 1000,
    heartbeatsRequired: HEARTBEATS_REQUIRED,
    heartbeatReward: AMOUNTS.heartbeatReward,
    referralPoints: REFERRAL_POINTS,
    contentPoints: AMOUNTS.content,
    contentPointsPerDay: env.contentPointsPerDay,
  };
}
