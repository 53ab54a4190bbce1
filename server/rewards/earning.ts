import { formatPoints, type EarningRule } from "../points/rules.ts";

/** The campaign's own bonus. */
export const CAMPAIGN_RULE: EarningRule = {
  source: "campaign",
  rule: "campaign-bonus",
  version: 1,
  category: "Rewards",
  describe: (_, { campaignPoints }) => ({
    title: "A reward that you claimed",
    text: `A reward that is completed gives the points it names${campaignPoints === null ? "" : `, ${formatPoints(campaignPoints)}`}, once you claim them.`,
    points: campaignPoints,
  }),
};
