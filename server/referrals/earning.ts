import { HEARTBEATS_REQUIRED } from "../heartbeats/contract.ts";
import { formatPoints, type EarningRule } from "../points/rules.ts";
import { REFERRAL_POINTS } from "./contract.ts";

/** To the friend who joined with a member's link. */
export const JOINED_RULE: EarningRule = {
  source: "referral",
  rule: "referral-joined",
  version: 1,
  category: "Referral",
  describe: () => ({
    title: "You joined with a friend's link",
    text: `Who joins with a friend's link starts with ${formatPoints(REFERRAL_POINTS)} extra points.`,
    points: REFERRAL_POINTS,
  }),
};

/** To the member whose friend met the conditions, once claimed. */
export const CLAIMED_RULE: EarningRule = {
  source: "referral",
  rule: "referral-claimed",
  version: 1,
  category: "Referral",
  describe: () => ({
    title: "A friend joined with your link",
    text: `A friend who has sent ${formatPoints(HEARTBEATS_REQUIRED)} heartbeats and linked a wallet earns you ${formatPoints(REFERRAL_POINTS)} points, once you claim them.`,
    points: REFERRAL_POINTS,
  }),
};
