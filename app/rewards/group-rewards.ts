import type { CampaignSubmission } from "../../server/rewards/contract.ts";

/** Groups rewards by what is left to do. Each reward is in one group. */
export function groupRewards<Reward extends Pick<CampaignSubmission, "claimable" | "completed">>(rewards: Reward[]) {
  return {
    toClaim: rewards.filter(({ claimable }) => claimable),
    toDo: rewards.filter(({ claimable, completed }) => !claimable && !completed),
    claimed: rewards.filter(({ claimable, completed }) => !claimable && completed),
  };
}
