import type { CampaignMailOutcome } from "./campaign-mail-note.tsx";

/** What the address says has just been done. */
export type RewardsView = {
  mail: CampaignMailOutcome | null;
  /** The campaign, or the heartbeat reward, whose points were claimed. */
  claimed: string | null;
};

const OUTCOMES: CampaignMailOutcome[] = ["off", "on", "failed"];

export const readRewardsView = (params: URLSearchParams): RewardsView => ({
  mail: OUTCOMES.find((outcome) => outcome === params.get("mail")) ?? null,
  claimed: params.get("claimed"),
});

export const claimedHref = (id: string): string => `/rewards?${new URLSearchParams({ claimed: id })}`;

export const mailHref = (outcome: CampaignMailOutcome): string => `/rewards?mail=${outcome}`;
