import {
  changeCampaign,
  createCampaign,
  receiveCompletions,
  recordCompletions,
} from "../../../server/campaigns/contract.ts";
import { HEARTBEAT_REWARD_POINTS } from "../../../server/heartbeats/earning.ts";
import { HEARTBEATS_REQUIRED } from "../../../server/heartbeats/contract.ts";
import { claimReferral, readReferrals, REFERRAL_POINTS, type Referrals } from "../../../server/referrals/contract.ts";
import { claimReward } from "../../../server/rewards/contract.ts";
import { readWebhookKey, sign } from "../../../server/webhooks/signature.ts";
import { callApi, type Outcome } from "../call-api.ts";
import { Broken, expectEntry, pickMember, present, type Member } from "../model.ts";
import type { Random } from "../random.ts";
import { WEBHOOK_SECRET, type World } from "../world.ts";
import { openSession } from "./sign-in.ts";
import { NOBODY, type Step } from "./step.ts";

/** Returns the administrator's session, after signing in if needed. */
export async function findAdministrator(world: World, random: Random) {
  const [member] = world.model.members;
  const session = member && (await openSession(world, random, member));
  return session && { token: session.token };
}

async function makeCampaign(world: World, random: Random): Promise<string> {
  const { campaigns } = world.model;
  const admin = await findAdministrator(world, random);
  if (!admin) return NOBODY;
  const isNew = campaigns.size < 4;
  const id = isNew ? `campaign-${campaigns.size}` : (random.pick([...campaigns.keys()]) ?? "");
  const bonusPoints = random.between(1, 400);
  const fields = { name: `Campaign ${id}`, formUrl: "https://forms.example/1", bonusPoints, taskNumber: 1 };
  const answer = isNew
    ? await callApi(world, random, createCampaign, { ...admin, body: { id, ...fields, reason: "A new one" } })
    : await callApi(world, random, changeCampaign, {
        ...admin,
        params: { id },
        body: { bonusPoints, reason: "Worth it" },
      });
  const isSure = answer.kind === "done" && world.model.campaigns.get(id) === undefined;
  if (answer.kind !== "refused")
    campaigns.set(id, new Set([...(isSure ? [] : (campaigns.get(id) ?? [])), bonusPoints]));
  return `${id}, ${bonusPoints} points: ${answer.code}`;
}

const pickCampaign = ({ model }: World, random: Random) => random.pick([...model.campaigns.keys()]);

function pickSome(world: World, random: Random): Member[] {
  return present(world.model).filter(() => random.chance(0.5));
}

function complete(members: Member[], campaignId: string, standing: "yes" | "unsure") {
  for (const { completed } of members) if (completed.get(campaignId) !== "yes") completed.set(campaignId, standing);
}

async function sendCompletions(world: World, random: Random): Promise<string> {
  const campaignId = pickCampaign(world, random);
  const members = pickSome(world, random);
  const admin = await findAdministrator(world, random);
  if (!campaignId || members.length === 0 || !admin) return NOBODY;
  const completions = members.map(({ id }) => ({ member: id, campaignId }));
  const known = members.filter(({ completed }) => completed.get(campaignId) === "yes").length;
  const answer = await callApi<{ recorded: number; results: { outcome: string }[] }>(world, random, recordCompletions, {
    ...admin,
    body: { completions, reason: "They did it" },
  });
  if (answer.kind === "done") {
    const { recorded, results } = answer.body;
    if (recorded > members.length - known) throw new Broken(`${campaignId}: a completion was recorded twice`);
    complete(
      members.filter((_, index) => ["recorded", "already"].includes(results[index]?.outcome ?? "")),
      campaignId,
      "yes",
    );
  } else complete(members, campaignId, "unsure");
  return `${campaignId} by ${members.length}: ${answer.code}`;
}

/** Sends a message from outside: a new one, or one again, as senders do until they get a response. */
async function receiveMessage(world: World, random: Random): Promise<string> {
  const { messages } = world.model;
  const campaignId = pickCampaign(world, random);
  const old = random.chance(0.4) ? random.pick(messages) : undefined;
  const members = pickSome(world, random);
  if (!campaignId || (!old && members.length === 0)) return NOBODY;
  const message = old ?? { id: `msg_${messages.length}`, members, campaignId, isTaken: false };
  if (!old) messages.push(message);
  const key = readWebhookKey(WEBHOOK_SECRET) ?? Buffer.alloc(0);
  const completions = message.members.map(({ id }) => ({ member: id, campaignId: message.campaignId }));
  const body = JSON.stringify({ completions });
  const timestamp = String(Math.floor(world.clock.now().getTime() / 1000));
  const headers = {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${sign(key, message.id, timestamp, body).toString("base64")}`,
  };
  const wasTaken = message.isTaken;
  const answer = await callApi<{ recorded: number; duplicate: boolean }>(world, random, receiveCompletions, {
    headers,
    body,
  });
  if (answer.kind === "done") {
    if (wasTaken && answer.body.recorded > 0) throw new Broken(`${message.id} was taken in twice`);
    message.isTaken = true;
    complete(message.members, message.campaignId, "yes");
  } else if (answer.kind === "unknown") complete(message.members, message.campaignId, "unsure");
  return `${message.id}, ${completions.length} completions: ${answer.code}`;
}

/** Claims the same reward several times at once, as from several tabs. */
async function claim(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const session = member && (await openSession(world, random, member));
  const campaignId = random.chance(0.3)
    ? "heartbeat"
    : (random.pick([...(member?.completed.keys() ?? [])]) ?? pickCampaign(world, random));
  if (!member || !session || !campaignId) return NOBODY;
  const isHeartbeat = campaignId === "heartbeat";
  const beats = [...member.entries.keys()].filter((key) => key.startsWith("heartbeat:"));
  const isDue = isHeartbeat ? beats.length >= HEARTBEATS_REQUIRED : member.completed.has(campaignId);
  const key = `campaign:${campaignId}`;
  const wasPaid = member.entries.get(key)?.isSure === true;
  const points = isHeartbeat ? HEARTBEAT_REWARD_POINTS : NaN;
  const before = member.entries.get(key);
  expectEntry(member, key, { points, isSure: false });
  const answers = await atOnce(random, (own) =>
    callApi(world, own, claimReward, { token: session.token, params: { id: campaignId } }),
  );
  const done = answers.filter(({ kind }) => kind === "done").length;
  if (done > 0 && !isDue) throw new Broken(`${member.name} claimed ${campaignId} and has not completed it`);
  if (done > 1 || (done === 1 && wasPaid)) throw new Broken(`${member.name} was given ${campaignId} more than once`);
  settle(member, key, { answers, before, points });
  return `${member.name}, ${campaignId}: ${list(answers)}`;
}

type Settling = { answers: Outcome[]; before: ReturnType<Member["entries"]["get"]>; points: number };

function settle(member: Member, key: string, { answers, before, points }: Settling) {
  if (answers.some(({ kind }) => kind === "done")) expectEntry(member, key, { points, isSure: true });
  // All were refused, so none of them created an entry.
  else if (!before && answers.every(({ kind }) => kind === "refused")) member.entries.delete(key);
}

/** Sends one request, or the same one several times at once. */
async function atOnce<Answer>(random: Random, send: (own: Random) => Promise<Answer>): Promise<Answer[]> {
  const count = random.chance(0.5) ? 1 : random.between(2, 4);
  return Promise.all(Array.from({ length: count }, (_, index) => send(random.fork(`request ${index}`))));
}

const list = (answers: Outcome[]) => answers.map(({ code }) => code).join(" ");

async function claimFriend(world: World, random: Random): Promise<string> {
  const member = random.pick(present(world.model).filter(({ friends }) => friends > 0));
  const session = member && (await openSession(world, random, member));
  if (!member || !session) return NOBODY;
  const page = await callApi<Referrals>(world, random, readReferrals, { token: session.token, query: { limit: 25 } });
  if (page.kind !== "done") return `${member.name} looks at friends: ${page.code}`;
  const friends = page.body.referrals;
  const friend = random.pick(friends.filter(({ canClaim }) => canClaim)) ?? random.pick(friends);
  if (!friend) return `${member.name} has no friends`;
  const key = `referral:${friend.id}`;
  const before = member.entries.get(key);
  const wasPaid = before?.isSure === true;
  expectEntry(member, key, { points: REFERRAL_POINTS, isSure: false });
  const answers = await atOnce(random, (own) =>
    callApi(world, own, claimReferral, { token: session.token, params: { id: friend.id } }),
  );
  const done = answers.filter(({ kind }) => kind === "done").length;
  if (done > 1 || (done === 1 && wasPaid))
    throw new Broken(`${member.name} was given a friend's points more than once`);
  settle(member, key, { answers, before, points: REFERRAL_POINTS });
  return `${member.name}, ${friend.status}: ${list(answers)}`;
}

export const REWARDS: Step[] = [
  { name: "make or change a campaign", weight: 3, run: makeCampaign },
  { name: "record completions", weight: 3, together: true, run: sendCompletions },
  { name: "receive a message of completions", weight: 4, together: true, run: receiveMessage },
  { name: "claim a reward", weight: 8, together: true, run: claim },
  { name: "claim a friend's points", weight: 6, together: true, run: claimFriend },
];
