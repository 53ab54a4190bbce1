import { describePoints, type EarningRule } from "../points/rules.ts";

/** Pays a campaign's own bonus. */
export const CAMPAIGN_RULE: EarningRule = {
  source: "campaign",
  rule: "campaign-bonus",
  version: 1,
  category: "Rewards",
  describe: (_, { campaignPoints }) => ({
    title: "Reward claimed",
    text: `Complete a reward, then claim its ${campaignPoints === null ? "points" : describePoints(campaignPoints)}.`,
    points: campaignPoints,
  }),
};
