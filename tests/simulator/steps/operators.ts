import { OPERATOR } from "../../../server/administration/actor.ts";
import { addAdministrator } from "../../../server/administration/service.ts";
import { partitionTable } from "../../../server/months/partition.ts";
import { LEDGER } from "../../../server/points/ledger/monthly.ts";
import { readHeld, refuseHeld, releaseHeld } from "../../../server/referrals/review.ts";
import { blockMember, unblockMember } from "../../../server/sessions/blocking.ts";
import { endSessionsOf } from "../../../server/sessions/operating.ts";
import { setWhitelisted } from "../../../server/whitelist/contract.ts";
import { callApi, operate } from "../call-api.ts";
import { begin, Broken, endSessions, expectEntry, pickMember, present } from "../model.ts";
import type { Random } from "../random.ts";
import { pickProcess, type World } from "../world.ts";
import { findAdministrator } from "./rewards.ts";
import { NOBODY, type Step } from "./step.ts";

const ACT = { actor: OPERATOR, reason: "The simulation needs it" };

async function appoint(world: World, random: Random): Promise<string> {
  const [member] = world.model.members;
  if (!member) return NOBODY;
  const { deps } = pickProcess(world, random);
  const answer = await operate(random, () => addAdministrator(deps, ACT, { member: member.id }));
  return `${member.name}: ${answer.code}`;
}

/** Gives or takes points, under a new key or again under one already used. A repetition means the same adjustment. */
async function adjust(world: World, random: Random): Promise<string> {
  const { adjustments } = world.model;
  const old = random.chance(0.3) ? random.pick(adjustments) : undefined;
  const chosen = old?.member ?? pickMember(world.model, random);
  if (!chosen || chosen.isErased) return NOBODY;
  const points = random.between(-30, 100) || 1;
  const asked = old ?? { member: chosen, key: `adjustment-${adjustments.length}`, points };
  if (!old) adjustments.push(asked);
  const { key, member } = asked;
  const entry = `adjustment:${key}`;
  const wasPaid = member.entries.get(entry)?.isSure === true;
  const known = member.entries.get(entry);
  expectEntry(member, entry, { points: asked.points, isSure: false });
  const { deps } = pickProcess(world, random);
  const answer = await operate(random, () =>
    world.services.adjustPoints(deps, ACT, { member: member.id, points: asked.points, key, category: "Others" }),
  );
  if (answer.kind === "done") {
    if (wasPaid && answer.body.changed) throw new Broken(`${member.name} was given ${key} more than once`);
    expectEntry(member, entry, { points: asked.points, isSure: true });
  } else if (answer.kind === "refused" && !known) member.entries.delete(entry);
  return `${member.name}, ${asked.points} by ${key}: ${answer.code}`;
}

async function block(world: World, random: Random): Promise<string> {
  const member = random.pick(present(world.model).slice(1));
  if (!member) return NOBODY;
  const { deps } = pickProcess(world, random);
  const isBlock = member.blocked === "no";
  const end = begin(member, { disturbs: true });
  const change = isBlock ? blockMember : unblockMember;
  const answer = await operate(random, async () => void (await change(deps, ACT, { member: member.id })));
  const isSure = end() && answer.kind === "done";
  if (answer.kind !== "refused") {
    member.blocked = isSure ? (isBlock ? "yes" : "no") : "unsure";
    if (isBlock) endSessions(member, isSure ? "no" : "unsure");
  }
  return `${member.name}, ${isBlock ? "out" : "in again"}: ${answer.code}`;
}

async function signOutMember(world: World, random: Random): Promise<string> {
  const member = random.pick(present(world.model).slice(1));
  if (!member) return NOBODY;
  const { deps } = pickProcess(world, random);
  const end = begin(member, { disturbs: true });
  const answer = await operate(random, () => endSessionsOf(deps, ACT, { member: member.id }));
  const isSure = end() && answer.kind === "done";
  if (answer.kind !== "refused") endSessions(member, isSure ? "no" : "unsure");
  return `${member.name}: ${answer.code}`;
}

async function whitelist(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const admin = await findAdministrator(world, random);
  if (!member || !admin) return NOBODY;
  const whitelisted = random.chance(0.6);
  const end = begin(member, { disturbs: true });
  const body = { emails: [member.email], whitelisted, reason: "As agreed" };
  const answer = await callApi(world, random, setWhitelisted, { ...admin, body });
  const isSure = end() && answer.kind === "done";
  if (answer.kind !== "refused") member.whitelisted = isSure ? (whitelisted ? "yes" : "no") : "unsure";
  return `${member.name}, ${whitelisted ? "on" : "off"}: ${answer.code}`;
}

async function review(world: World, random: Random): Promise<string> {
  const { deps } = pickProcess(world, random);
  const held = await operate(random, () => readHeld(deps, OPERATOR));
  const one = held.kind === "done" ? random.pick(held.body) : undefined;
  if (!one) return NOBODY;
  const isRelease = random.chance(0.6);
  const decide = isRelease ? releaseHeld : refuseHeld;
  const answer = await operate(random, () => decide(deps, ACT, { id: one.id }));
  return `${one.reason}, ${isRelease ? "released" : "refused"}: ${answer.code}`;
}

/** Partitions the table in batches. The connection may be lost after any of them: the next call continues from there. */
async function partitionLedger(world: World, random: Random): Promise<string> {
  const { deps } = pickProcess(world, random);
  const answer = await operate(random, () => partitionTable({ ...deps, batch: random.between(1, 40) }, ACT, LEDGER));
  if (answer.kind !== "done") return answer.code;
  return answer.body.divided ? `${answer.body.copied} rows` : "it is partitioned";
}

export const OPERATORS: Step[] = [
  { name: "appoint the administrator", weight: 2, run: appoint },
  { name: "adjust points", weight: 6, together: true, run: adjust },
  { name: "block or unblock", weight: 2, together: true, run: block },
  { name: "sign a member out", weight: 1, together: true, run: signOutMember },
  { name: "whitelist", weight: 2, together: true, run: whitelist },
  { name: "review an invitation", weight: 3, together: true, run: review },
  { name: "partition the ledger by month", weight: 2, together: true, run: partitionLedger },
];
