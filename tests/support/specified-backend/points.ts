import type { Pagination } from "../../../server/http/contract.ts";
import type { PointsHistory, PointsLog, UserStats } from "../../../server/points/contract.ts";
import type { Referral, Referrals } from "../../../server/referrals/contract.ts";
import type { CampaignSubmission } from "../../../server/rewards/contract.ts";
import type { User } from "../../../server/profile/contract.ts";
import type * as z from "zod";
import { credit, readTime, Refusal, type Entry, type Member, type Members } from "./members.ts";

/* The specified calls' answers about members and their points, in the shapes of the specification's section 3. */

const DAY_MS = 24 * 60 * 60 * 1000;
const HEARTBEATS_REQUIRED = 100;
const REFERRAL_POINTS = 1000;

const sum = (entries: Entry[]) => entries.reduce((total, { points }) => total + points, 0);

export const describeUser = (member: Member): User => ({
  id: member.id,
  email: member.email,
  avatar_url: null,
  campaign_email: null,
  discord_userid: null,
  discord_username: null,
  full_name: null,
  invited_by: member.invitedBy?.id ?? null,
  personal_code: member.personalCode,
  telegram_handle: null,
  updated_at: null,
  username: null,
  wallet: member.wallet,
  website: null,
  x_handle: null,
  total_points_done: true,
  hasMachineId: member.identity?.status === "completed",
});

export function describeStats(members: Members, member: Member): UserStats {
  const { entries, heartbeats, id } = member;
  const total = sum(entries);
  const today = new Date().toISOString().slice(0, 10);
  return {
    user_id: id,
    heartbeats,
    heartbeats_genesis_snapshot: 0,
    points_today: sum(entries.filter(({ timestamp }) => timestamp.startsWith(today))),
    points_total: total,
    total_referrals: members.friendsOf(member).length,
    total_referral_points: sum(entries.filter(({ category }) => category === "Referral")),
    total_includes_all_points: true,
    points_breakdown: ["connectivity", "referral", "rewards", "others"].map((category) => {
      const value = sum(entries.filter((entry) => entry.category.toLowerCase() === category));
      return { category, color: null, percentage: total === 0 ? 0 : (value / total) * 100, value };
    }),
  };
}

export function describeHistory({ entries }: Member, range: string): PointsHistory {
  const days = Number(/^last(\d+)days$/.exec(range)?.[1] ?? Number.NaN);
  if (Number.isNaN(days)) throw new Refusal(400, "VALIDATION_ERROR", "Give a range such as last7days.");
  const data = Array.from({ length: days }, (_, index) => {
    const date = new Date(Date.now() - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    const ofDay = entries.filter(({ timestamp }) => timestamp.startsWith(date));
    const of = (name: string) => sum(ofDay.filter(({ category }) => category === name));
    return {
      date,
      connectivity: of("Connectivity"),
      referral: of("Referral"),
      rewards: of("Rewards"),
      total: sum(ofDay),
    };
  });
  const pointsTotal = data.reduce((all, { total }) => all + total, 0);
  const history = { average: pointsTotal / days, data };
  return { success: true, range, totalEntries: entries.length, pointsTotal, history };
}

export function describeLog({ entries }: Member, query: Record<string, string>): PointsLog {
  const { page = "1", limit = "10", category, startDate = "", endDate = "9999" } = query;
  const found = entries.filter(
    (entry) =>
      (!category || entry.category === category) &&
      entry.timestamp.slice(0, 10) >= startDate.slice(0, 10) &&
      entry.timestamp.slice(0, 10) <= endDate.slice(0, 10),
  );
  return { data: pick(found, page, limit), total: found.length };
}

/** Pages by page and limit only: the table mentions no status. */
export function describeReferrals(members: Members, member: Member, query: Record<string, string>): Referrals {
  const { page = "1", limit = "10" } = query;
  const friends = members.friendsOf(member).map((friend) => describeFriend(member, friend));
  const count = (isCounted: (friend: Referral) => boolean) => friends.filter(isCounted).length;
  const pagination: z.infer<typeof Pagination> = {
    limit: Number(limit),
    page: Number(page),
    total: friends.length,
    totalPages: Math.ceil(friends.length / Number(limit)),
  };
  const successful = count(({ status }) => status === "Success");
  return {
    success: true,
    referrals: pick(friends, page, limit),
    stats: {
      totalReferralPoints: successful * REFERRAL_POINTS,
      successfulReferralsAmount: successful,
      pendingReferralsAmount: friends.length - successful,
    },
    pagination,
  };
}

function describeFriend({ claimed }: Member, { email, heartbeats, id, wallet }: Member): Referral {
  const isActive = heartbeats >= HEARTBEATS_REQUIRED && wallet !== null;
  const status = claimed.has(id) ? "Success" : isActive ? "Claimable" : "Pending";
  return {
    id,
    invitedPoints: REFERRAL_POINTS,
    inviteeEmail: email,
    inviteeHeartbeats: heartbeats,
    inviteeUsername: null,
    walletConnected: wallet !== null,
    invitedAt: readTime(),
    status,
    canClaim: status === "Claimable",
  };
}

const pick = <Item>(items: Item[], page: string, limit: string) =>
  items.slice((Number(page) - 1) * Number(limit), Number(page) * Number(limit));

const CAMPAIGNS = [
  { campaignId: "welcome", campaignName: "Say hello", bonusPoints: 150, completed: true },
  { campaignId: "survey", campaignName: "Tell us what you think", bonusPoints: 50, completed: false },
];

export const describeSubmissions = ({ claimed }: Member): CampaignSubmission[] =>
  CAMPAIGNS.map(({ bonusPoints, campaignId, campaignName, completed }, index) => ({
    bonusPoints,
    campaignId,
    campaignName,
    completed,
    type: "form",
    formUrl: "https://forms.example.org/",
    mandatory: false,
    taskNumber: index + 1,
    claimable: completed && !claimed.has(campaignId),
  }));

/** The specification does not show its fields, so these are made up. */
export const describeHeartbeatStatus = ({ heartbeats }: Member) => ({ progress: heartbeats / HEARTBEATS_REQUIRED });

/** Claims, once, the campaign or the friend that the id names. */
export function claim(members: Members, member: Member, id: string): void {
  const campaign = describeSubmissions(member).find(({ campaignId }) => campaignId === id);
  const friend = describeReferrals(members, member, { limit: "1000" }).referrals.find((each) => each.id === id);
  if (!campaign && !friend) throw new Refusal(404, "NOT_FOUND", "There is no such reward.");
  if (!(campaign?.claimable ?? friend?.canClaim)) throw new Refusal(409, "CONFLICT", "This reward cannot be claimed.");
  member.claimed.add(id);
  const points = campaign?.bonusPoints ?? REFERRAL_POINTS;
  credit(member, friend ? "Referral" : "Rewards", points, `Claimed ${id}`);
}
