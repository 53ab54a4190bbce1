import { announce } from "../announcements/announce.queries.ts";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { findCampaign, hasSubmission } from "../campaigns/queries.ts";
import { stateOf } from "../campaigns/service.ts";
import { HEARTBEAT_REWARD_ID } from "../heartbeats/contract.ts";
import { readHeartbeatStatus } from "../heartbeats/service.ts";
import { AlreadyClaimed, countClaim } from "../points/count-claim.ts";
import { postPoints } from "../points/service.ts";
import type { CampaignSubmission } from "./contract.ts";
import * as queries from "./queries.ts";
import { HEARTBEAT_REWARD_POINTS, HEARTBEAT_REWARD_RULE } from "../heartbeats/earning.ts";
import { CAMPAIGN_RULE } from "./earning.ts";

const ALREADY_CLAIMED = "You have already claimed this reward.";

/**
 * Pays the points of a completed campaign, or of the heartbeat reward, once, even after the campaign has ended. Returns
 * how many. Throws NOT_FOUND for an unknown campaign, and CONFLICT if it is not completed or already claimed.
 */
export async function claimReward(tx: Tx, claim: queries.Claim): Promise<number> {
  if (claim.campaignId === HEARTBEAT_REWARD_ID) return claimHeartbeatReward(tx, claim);
  const { userId, campaignId, at } = claim;
  const campaign = await findCampaign(tx, campaignId);
  if (!campaign) throw new AppError("NOT_FOUND", "There is no such campaign.");
  if (!(await queries.markClaimed(tx, claim))) {
    if (await hasSubmission(tx, { userId, campaignId })) throw new AlreadyClaimed(ALREADY_CLAIMED);
    refuse(stateOf(campaign, at) === "ended" ? "This campaign has ended." : "Complete this campaign first.");
  }
  const points = campaign.bonusPoints;
  const entry = { userId, sourceId: campaignId, points, comment: campaign.name, occurredAt: at };
  await postPoints(tx, [{ ...entry, rule: CAMPAIGN_RULE }]);
  return points;
}

async function claimHeartbeatReward(tx: Tx, { userId, at }: queries.Claim): Promise<number> {
  const { completed, requiredHeartbeats } = await readHeartbeatStatus({ db: tx }, userId);
  if (!completed) refuse(`This reward needs ${requiredHeartbeats} heartbeats.`);
  const points = HEARTBEAT_REWARD_POINTS;
  const comment = `${requiredHeartbeats} heartbeats`;
  const entry = { userId, sourceId: HEARTBEAT_REWARD_ID, points, comment, occurredAt: at };
  const posted = await postPoints(tx, [{ ...entry, rule: HEARTBEAT_REWARD_RULE }]);
  if (posted.length === 0) throw new AlreadyClaimed(ALREADY_CLAIMED);
  return points;
}

function refuse(message: string): never {
  throw new AppError("CONFLICT", message);
}

/** Claims a reward in its own transaction. Throws the same errors as `claimReward`. */
export async function claim(deps: Pick<Deps, "db" | "metrics" | "now">, userId: string, { id }: { id: string }) {
  const reward = { userId, campaignId: id, at: deps.now() };
  await countClaim(deps, () =>
    inTransaction(deps.db, async (tx) => {
      const points = await claimReward(tx, reward);
      const data = { memberId: userId, rewardId: id, points };
      await announce(tx, { type: "reward.claimed", subject: `${userId} ${id}`, at: reward.at, data });
    }),
  );
  return { success: true, message: "The points are yours." };
}

/** Returns every campaign that a member can see, with their progress. */
export async function readSubmissions(
  { db, now }: Pick<Deps, "db" | "now">,
  userId: string,
): Promise<CampaignSubmission[]> {
  const rows = await queries.findSubmissions(db).execute({ userId, now: now() });
  return rows.map(({ campaign, claimed, completed, paid }) => ({
    completed,
    campaignName: campaign.name,
    campaignId: campaign.id,
    type: campaign.type,
    formUrl: campaign.formUrl,
    // The campaign's bonus may have changed since it was claimed.
    bonusPoints: paid ?? campaign.bonusPoints,
    mandatory: campaign.mandatory,
    buttonText: campaign.buttonText ?? undefined,
    taskNumber: campaign.taskNumber,
    claimable: completed && !claimed,
  }));
}
