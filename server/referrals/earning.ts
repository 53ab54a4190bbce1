import { HEARTBEATS_REQUIRED } from "../heartbeats/contract.ts";
import { formatPoints, type EarningRule } from "../points/rules.ts";
import { REFERRAL_POINTS } from "./contract.ts";

/** Pays the friend who joined with a member's link. */
export const JOINED_RULE: EarningRule = {
  source: "referral",
  rule: "referral-joined",
  version: 1,
  category: "Referral",
  describe: () => ({
    title: "You joined with a friend's link",
    text: `You start with ${formatPoints(REFERRAL_POINTS)} extra points when you join with a friend's link.`,
    points: REFERRAL_POINTS,
  }),
};

/** Pays the member whose friend met the conditions, once they claim. */
export const CLAIMED_RULE: EarningRule = {
  source: "referral",
  rule: "referral-claimed",
  version: 1,
  category: "Referral",
  describe: () => ({
    title: "A friend joined with your link",
    text: `You can claim ${formatPoints(REFERRAL_POINTS)} points for a friend who has sent ${formatPoints(HEARTBEATS_REQUIRED)} heartbeats and linked a wallet.`,
    points: REFERRAL_POINTS,
  }),
};
