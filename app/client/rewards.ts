import { HeartbeatStatus, readHeartbeatStatus } from "../../server/heartbeats/contract.ts";
import { claimReward, readSubmissions } from "../../server/rewards/contract.ts";
import type { Caller } from "../api/call.ts";
import { HEARTBEAT_REWARD } from "./heartbeat-reward.ts";
import { textId } from "./loose-responses.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** The result of a claim whose own response was lost. */
export const CLAIMED = { success: true, message: "Claimed" };

/** Creates the calls about what can be earned apart from heartbeats and friends. */
export function createRewardsClient(call: Caller) {
  return {
    submissions: () => readCampaigns(call),
    /** Null if the backend says it in other fields, which the specification leaves open. */
    async heartbeatStatus(): Promise<HeartbeatStatus | null> {
      const status = await call(readHeartbeatStatus, {});
      return hasFieldsOf(HeartbeatStatus.shape, status) ? status : null;
    },
    claim: (id: string) =>
      call(claimReward, { params: { id } }, { retries: WRITE_RETRIES.claim, findOutcome: () => findClaimed(call, id) }),
  };
}

const readCampaigns = async (call: Caller) => textId.each(await call(readSubmissions, {}), "campaignId");

/** Returns whether an answer has any field of a shape. */
const hasFieldsOf = (shape: object, answer: unknown) =>
  typeof answer === "object" && answer !== null && Object.keys(shape).some((name) => name in answer);

/** Returns the outcome if the points are the member's by now, or null. */
async function findClaimed(call: Caller, id: string) {
  if (id === HEARTBEAT_REWARD) return (await call(readHeartbeatStatus, {})).claimed ? CLAIMED : null;
  const campaign = (await readCampaigns(call)).find(({ campaignId }) => campaignId === id);
  return campaign?.completed && !campaign.claimable ? CLAIMED : null;
}
