import * as z from "zod";
import { endpoint, GenericResult } from "../http/contract.ts";

export const CampaignSubmission = z
  .object({
    completed: z.boolean(),
    campaignName: z.string(),
    campaignId: z.string(),
    type: z.string(),
    formUrl: z.string(),
    bonusPoints: z.number(),
    mandatory: z.boolean(),
    buttonText: z.string().optional(),
    taskNumber: z.number(),
    claimable: z.boolean(),
  })
  .meta({ id: "CampaignSubmission" });
export type CampaignSubmission = z.infer<typeof CampaignSubmission>;

export const readSubmissions = endpoint("GET /submissions/campaigns", {
  summary: "Every campaign, and the member's progress",
  mayLag: true,
  response: z.array(CampaignSubmission),
});

export const claimReward = endpoint("POST /api/campaigns/{id}/claim", {
  summary: "Claim the points of a completed campaign",
  params: z.object({ id: z.string().min(1).max(64) }),
  response: GenericResult,
  fails: ["NOT_FOUND", "CONFLICT"],
});
