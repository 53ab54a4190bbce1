import { CONTENT_POINTS, CONTENT_RULE } from "./agent-insights/earning.ts";
import { MAX_AGE_MS } from "./heartbeats/beat-window.ts";
import { HEARTBEATS_REQUIRED } from "./heartbeats/contract.ts";
import { HEARTBEAT_REWARD_POINTS, HEARTBEAT_REWARD_RULE, HEARTBEAT_RULE } from "./heartbeats/earning.ts";
import type { PointsRules } from "./points/contract.ts";
import { ADJUSTMENT_RULE, GENESIS_RULE, type EarningRule, type RuleSettings } from "./points/rules.ts";
import { REFERRAL_POINTS } from "./referrals/contract.ts";
import { CLAIMED_RULE, JOINED_RULE } from "./referrals/earning.ts";
import { CAMPAIGN_RULE } from "./rewards/earning.ts";

/** Every rule that earns points. Each feature declares its own. */
export const EARNING_RULES: readonly EarningRule[] = [
  HEARTBEAT_RULE,
  HEARTBEAT_REWARD_RULE,
  JOINED_RULE,
  CLAIMED_RULE,
  CAMPAIGN_RULE,
  CONTENT_RULE,
  GENESIS_RULE,
  ADJUSTMENT_RULE,
];

/** Returns the rules as members read them. Postings use the same figures. */
export const readFigures = (settings: RuleSettings): PointsRules => ({
  pointsPerHeartbeat: settings.pointsPerHeartbeat,
  heartbeatIntervalSeconds: settings.heartbeatIntervalSeconds,
  lateHeartbeatSeconds: MAX_AGE_MS / 1000,
  heartbeatsRequired: HEARTBEATS_REQUIRED,
  heartbeatReward: HEARTBEAT_REWARD_POINTS,
  referralPoints: REFERRAL_POINTS,
  contentPoints: CONTENT_POINTS,
  contentPointsPerDay: settings.contentPointsPerDay,
});
