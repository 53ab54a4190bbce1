import { sendJobResults, type JobResults } from "../../../server/agent-insights/contract.ts";
import { CONTENT_POINTS } from "../../../server/agent-insights/earning.ts";
import {
  registerDevice,
  revokeDevice,
  sendHeartbeats,
  type HeartbeatsResult,
} from "../../../server/heartbeats/contract.ts";
import { callApi } from "../call-api.ts";
import { begin, Broken, expectEntry, mayBeLockedOut, pickMember, type Member } from "../model.ts";
import type { Random } from "../random.ts";
import { pickProcess, type World } from "../world.ts";
import { openSession } from "./sign-in.ts";
import { DAY, HOUR, NOBODY, type Step } from "./step.ts";

const SLOT = 900_000;

async function addNode(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const session = member && (await openSession(world, random, member));
  if (!member || !session) return NOBODY;
  const name = `Node ${member.nodes.length + 1}`;
  const answer = await callApi<{ deviceId: string; deviceKey: string }>(world, random, registerDevice, {
    token: session.token,
    body: { name },
  });
  if (answer.kind === "done") {
    member.nodes.push({ id: answer.body.deviceId, key: answer.body.deviceKey, live: "yes" });
  }
  return `${member.name}: ${answer.code}`;
}

async function revokeNode(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const session = member && (await openSession(world, random, member));
  const node = member && random.pick(member.nodes);
  if (!session || !node) return NOBODY;
  const answer = await callApi(world, random, revokeDevice, { token: session.token, params: { id: node.id } });
  if (answer.kind !== "refused") node.live = answer.kind === "done" ? "no" : "unsure";
  return `${member.name}: ${answer.code}`;
}

/** Returns what a member sends heartbeats with: a node's key, or a session. */
async function pickSender(world: World, random: Random, member: Member) {
  const node = random.pick(member.nodes);
  if (node && random.chance(0.8)) return { token: node.key, live: () => node.live };
  const session = await openSession(world, random, member);
  return session && { token: session.token, live: () => session.live };
}

const slotOf = (time: number) => Math.floor(time / SLOT) * SLOT;

/** Invents heartbeats: of now, of an outage, late ones, doubled ones, and of a clock that is ahead. */
function inventBeats(now: number, random: Random) {
  const times: number[] = [];
  const count = random.chance(0.5) ? 1 : random.between(2, 110);
  const first = random.chance(0.5) ? 0 : random.below(400);
  for (let index = 0; index < count; index += 1) {
    const age =
      index === 0 && first === 0 ? random.below(30_000) : (first + index + 0.5) * SLOT + random.below(300_000);
    times.push(now - age);
    if (random.chance(0.1)) times.push(now - age);
  }
  const odd = random.chance(0.2) ? [now + 2 * HOUR] : random.chance(0.2) ? [now - 8 * DAY] : [];
  return { times: [...times, ...odd], inTime: times, refused: odd.length };
}

async function beat(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const sender = member && (await pickSender(world, random, member));
  if (!member || !sender) return NOBODY;
  const points = pickProcess(world, random).deps.env.pointsPerHeartbeat;
  const { inTime, refused, times } = inventBeats(world.clock.now().getTime(), random);
  const [live, isOut, latest] = [sender.live(), mayBeLockedOut(member, world.clock.latest()), world.clock.latest()];
  const slots = [...new Set(inTime.map((time) => new Date(slotOf(time)).toISOString()))];
  const isUnsure = (slot: string) => !member.entries.get(`heartbeat:${slot}`)?.isSure;
  const empty = slots.filter(isUnsure).length;
  // Without a response, part of them may have been counted.
  const expect = (isSure: boolean) => {
    for (const slot of slots) expectEntry(member, `heartbeat:${slot}`, { points, isSure });
  };
  expect(false);
  const end = begin(member);
  const body = { beats: times.map((time) => ({ timestamp: new Date(time).toISOString() })) };
  const answer = await callApi<HeartbeatsResult>(world, random, sendHeartbeats, { token: sender.token, body });
  const isCalm = end() && sender.live() === live;
  const who = `${member.name}, ${times.length} beats`;
  if (answer.kind === "done") {
    if (isCalm && live === "no") throw new Broken(`a key of ${member.name} that has ended still beats`);
    checkBeats(who, answer.body, { sent: times.length, refused, empty });
    expect(true);
  }
  if (answer.kind === "refused" && answer.code !== "TOO_MANY_ATTEMPTS") {
    const isSession = sender.token.startsWith("nbs_");
    if (isCalm && live === "yes" && !isOut && !isSession && latest === world.clock.latest())
      throw new Broken(`a key of ${member.name} beats no more: ${answer.code}`);
  }
  return `${who}: ${answer.kind === "done" ? `${answer.body.accepted} counted` : answer.code}`;
}

function checkBeats(who: string, result: HeartbeatsResult, sent: { sent: number; refused: number; empty: number }) {
  const { accepted, duplicates, refused } = result;
  if (accepted + duplicates + refused.length !== sent.sent) throw new Broken(`${who}: not each was answered`);
  if (refused.length !== sent.refused) throw new Broken(`${who}: ${refused.length} refused, of ${sent.refused}`);
  if (accepted > sent.empty) throw new Broken(`${who}: ${accepted} counted, where ${sent.empty} were new`);
}

async function finishJobs(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const sender = member && (await pickSender(world, random, member));
  if (!member || !sender) return NOBODY;
  const now = world.clock.now().getTime();
  const jobs = Array.from({ length: random.between(1, 4) }, () => ({
    jobId: `job-${random.below(60)}`,
    finishedAt: new Date(now - random.below(2 * DAY)).toISOString(),
    resultSize: random.below(10_000),
    items: Array.from({ length: random.below(4) }, () => {
      const kind = random.pick(["profile", "post", "comment"] as const) ?? "post";
      return { kind, reference: `item-${random.below(80)}`, title: "What was gathered" };
    }),
  }));
  for (const { kind, reference } of jobs.flatMap(({ items }) => items)) {
    // Beyond the daily cap it earns nothing: only the database knows.
    expectEntry(member, `content:${kind}:${reference}`, { points: CONTENT_POINTS[kind], isSure: false });
  }
  const answer = await callApi<JobResults>(world, random, sendJobResults, { token: sender.token, body: { jobs } });
  if (answer.kind === "done") {
    const { accepted, duplicates, refused } = answer.body;
    if (accepted + duplicates + refused.length !== jobs.length)
      throw new Broken(`${member.name}: not each of ${jobs.length} jobs was answered`);
  }
  return `${member.name}, ${jobs.length} jobs: ${answer.kind === "done" ? `${answer.body.items} items` : answer.code}`;
}

export const NODES: Step[] = [
  { name: "add a node", weight: 3, together: true, run: addNode },
  { name: "revoke a node", weight: 1, together: true, run: revokeNode },
  { name: "beat", weight: 24, together: true, run: beat },
  { name: "finish jobs", weight: 8, together: true, run: finishJobs },
];
