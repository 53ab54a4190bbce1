import type { CampaignSubmission } from "../../server/rewards/contract.ts";

/** Rewards by what is left to do about each. Every one is in one group. */
export function groupRewards<Reward extends Pick<CampaignSubmission, "claimable" | "completed">>(rewards: Reward[]) {
  return {
    toClaim: rewards.filter(({ claimable }) => claimable),
    toDo: rewards.filter(({ claimable, completed }) => !claimable && !completed),
    claimed: rewards.filter(({ claimable, completed }) => !claimable && completed),
  };
}
