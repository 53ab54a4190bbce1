import { countJobs, type Job } from "../../agent-insights/jobs.ts";
import type { Deps } from "../../deps.ts";
import { addMonth, startOfMonth } from "../../db/months.ts";
import { countBeats } from "../../heartbeats/service.ts";
import { postPoints } from "../../points/service.ts";
import { DAY_MS } from "../../points/utc-day.ts";
import { claimReferral, recordReferral } from "../../referrals/service.ts";
import { completeCampaign } from "../../campaigns/completions.ts";
import { claimReward } from "../../rewards/service.ts";
import type { Tx } from "../../db/client.ts";
import { CAMPAIGNS } from "./campaigns.ts";
import { inventJob } from "./content.ts";
import { daysBefore, DEMO_CLAIMS, DEMO_COMPLETED, DEMO_EMAIL, GENESIS } from "./demo-member.ts";
import type { Member } from "./people.ts";
import type { Random } from "./random.ts";
import { GENESIS_RULE } from "../../points/rules.ts";
import { HEARTBEAT_REWARD_ID, HEARTBEATS_REQUIRED } from "../../heartbeats/contract.ts";

/** How many beats to insert with one statement. */
const BATCH = 5000;
const HOUR_MS = DAY_MS / 24;

export async function sendBeats(tx: Tx, members: Member[], env: Deps["env"]) {
  const beats = members.flatMap(({ userId, beats }) =>
    beats.map((beatAt) => ({ userId, beatAt, receivedAt: new Date(beatAt.getTime() + 180) })),
  );
  // Add all months at once. Otherwise each missing month would roll back the transaction and start it again.
  const months = new Set(beats.map(({ beatAt }) => startOfMonth(beatAt).getTime()));
  for (const month of months) {
    for (const table of ["heartbeats", "points_ledger"]) await addMonth(tx, table, new Date(month));
  }
  for (let from = 0; from < beats.length; from += BATCH) await countBeats(tx, beats.slice(from, from + BATCH), env);
}

/** Records who invited whom, and claims the points of most inviters. */
export async function inviteFriends(tx: Tx, random: Random, members: Member[], now: Date) {
  const ids = new Map(members.map(({ email, userId }) => [email, userId]));
  for (const member of members) {
    const inviterId = member.inviter && ids.get(member.inviter);
    if (!inviterId) continue;
    const id = await recordReferral(tx, { inviterId, inviteeId: member.userId, at: member.joinedAt });
    const claimedAt = whenClaimed(random, member, now);
    if (id && claimedAt) await claimReferral(tx, { inviterId, id, at: claimedAt });
  }
}

/**
 * Returns when a referral was claimed: as planned, or some days after the friend met the conditions. Returns undefined
 * if that is still to come or was forgotten.
 */
function whenClaimed(random: Random, { beats, claimedAt, inviter, wallet }: Member, now: Date): Date | undefined {
  const reached = beats[HEARTBEATS_REQUIRED - 1];
  if (!reached || !wallet) return undefined;
  if (inviter === DEMO_EMAIL) return claimedAt;
  const someday = new Date(reached.getTime() + random.integer(1, 72) * HOUR_MS);
  return someday < now && random.chance(0.7) ? someday : undefined;
}

/** Grants the first members the points that they had before the ledger. */
export async function grantGenesis(tx: Tx, random: Random, members: Member[]) {
  const founders = members.filter(({ email }, index) => index < 20 || email === DEMO_EMAIL);
  await postPoints(
    tx,
    founders.map(({ email, joinedAt, userId }) => ({
      userId,
      rule: GENESIS_RULE,
      sourceId: "snapshot",
      points: email === DEMO_EMAIL ? GENESIS.points : random.integer(2, 10) * 250,
      comment: "Genesis snapshot",
      occurredAt: new Date(joinedAt.getTime() + HOUR_MS),
    })),
  );
}

/** Claims the demo member's rewards, and a few of other members. */
export async function claimRewards(tx: Tx, random: Random, members: Member[], now: Date) {
  const demo = members.find(({ email }) => email === DEMO_EMAIL);
  const canClaim = (id: string) => id !== HEARTBEAT_REWARD_ID || (demo?.beats.length ?? 0) >= HEARTBEATS_REQUIRED;
  for (const { campaignId, daysAgo } of DEMO_CLAIMS) {
    if (demo && canClaim(campaignId))
      await claim(tx, { userId: demo.userId, campaignId, at: daysBefore(now, daysAgo) });
  }
  const { campaignId, daysAgo } = DEMO_COMPLETED;
  if (demo) await completeCampaign(tx, { userId: demo.userId, campaignId, at: daysBefore(now, daysAgo) });

  const others = members.filter(({ email }) => email !== DEMO_EMAIL);
  for (const { joinedAt, userId } of random.sample(others, 30)) {
    for (const { id } of random.sample(CAMPAIGNS.slice(0, 8), random.integer(1, 3))) {
      const age = now.getTime() - joinedAt.getTime();
      await claim(tx, {
        userId,
        campaignId: id,
        at: new Date(joinedAt.getTime() + (age * random.integer(1, 99)) / 100),
      });
    }
  }
}

async function claim(tx: Tx, reward: { userId: string; campaignId: string; at: Date }) {
  // Heartbeats complete the heartbeat reward.
  if (CAMPAIGNS.some(({ id }) => id === reward.campaignId)) await completeCampaign(tx, reward);
  await claimReward(tx, reward);
}

/** Adds the content that nodes gathered: much for the demo member, also in the last days, and some for others. */
export async function gatherContent(tx: Tx, random: Random, members: Member[], now: Date, env: Deps["env"]) {
  const jobs: Job[] = [];
  for (const member of members) {
    const isDemo = member.email === DEMO_EMAIL;
    const times = isDemo ? member.beats : random.chance(0.15) ? member.beats.slice(0, 80) : [];
    for (const beatAt of random.sample(times, isDemo ? 84 : random.integer(4, 16))) {
      jobs.push(inventJob(random, member.userId, beatAt));
    }
    if (!isDemo) continue;
    for (const daysAgo of [0.09, 0.6, 1.4, 3.05, 3.06, 3.07, 3.09, 3.11, 4.3]) {
      jobs.push(inventJob(random, member.userId, daysBefore(now, daysAgo)));
    }
  }
  await countJobs(tx, jobs, env);
}
