import type { saveCampaigns } from "../../campaigns/service.ts";

type Campaign = Parameters<typeof saveCampaigns>[1][number];

const campaign = (
  taskNumber: number,
  id: string,
  name: string,
  bonusPoints: number,
  more: Partial<Campaign> = {},
): Campaign => ({
  id,
  name,
  type: "form",
  formUrl: `https://nodebeat.example/campaigns/${id}`,
  bonusPoints,
  mandatory: false,
  buttonText: null,
  taskNumber,
  ...more,
});

const social = { type: "social", mandatory: true };

export const CAMPAIGNS: Campaign[] = [
  campaign(1, "follow-on-x", "Follow us on X", 250, { ...social, buttonText: "Follow" }),
  campaign(2, "join-discord", "Join the Discord server", 250, { ...social, buttonText: "Join" }),
  campaign(3, "join-telegram", "Join the Telegram group", 250, { ...social, buttonText: "Join" }),
  campaign(4, "complete-profile", "Complete your profile", 500, { type: "profile", buttonText: "Open profile" }),
  campaign(5, "member-survey", "Member survey", 750.5),
  campaign(6, "week-of-beats", "A week without a missed beat", 1000, { type: "uptime" }),
  campaign(7, "network-quiz", "Network quiz", 1250),
  campaign(8, "beta-feedback", "Feedback on the beta", 1500),
  campaign(9, "three-friends", "Bring three friends", 750, { type: "3 friends" }),
  campaign(10, "write-a-guide", "Write a guide for newcomers", 2000),
];
