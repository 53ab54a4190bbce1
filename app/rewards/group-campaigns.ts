import type { CampaignSubmission } from "../../server/rewards/contract.ts";

/** The campaigns by what is left to do about each. Every one is in one group, and each group in the order of its tasks. */
export function groupCampaigns(submissions: CampaignSubmission[]) {
  const ordered = submissions.toSorted((one, other) => one.taskNumber - other.taskNumber);
  return {
    toClaim: ordered.filter(({ claimable }) => claimable),
    toDo: ordered.filter(({ claimable, completed }) => !claimable && !completed),
    claimed: ordered.filter(({ claimable, completed }) => !claimable && completed),
  };
}
