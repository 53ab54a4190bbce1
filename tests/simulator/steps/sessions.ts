import { requestDeletion, keepAccount } from "../../../server/account-data/contract.ts";
import { changePassword } from "../../../server/auth/contract.ts";
import { readUser, type User } from "../../../server/profile/contract.ts";
import { logout, revokeOtherSessions } from "../../../server/sessions/contract.ts";
import { acceptPrivacy, acceptTerms } from "../../../server/legal/contract.ts";
import { callApi } from "../call-api.ts";
import { begin, Broken, endSessions, mayBeLockedOut, pickMember, present, type Session } from "../model.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";
import { newPassword, openSession, replacePassword, signInAs } from "./sign-in.ts";
import { DAY, NOBODY, type Step } from "./step.ts";

async function signIn(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  if (!member) return NOBODY;
  const isWrong = random.chance(0.1);
  const [known = ""] = member.passwords;
  const isKnown = member.passwords.length === 1;
  const password = isWrong ? newPassword(random) : (random.pick(member.passwords) ?? known);
  const isOut = mayBeLockedOut(member, world.clock.latest());
  const { answer, isCalm } = await signInAs(world, random, member, password);
  if (answer.kind === "done") {
    if (isWrong) throw new Broken(`${member.name} signed in with a wrong password`);
    if (isCalm && member.blocked === "yes") throw new Broken(`${member.name} signed in and is blocked`);
    if (answer.body.user.id !== member.id) throw new Broken(`${member.name} signed in as ${answer.body.user.id}`);
    if (isCalm) member.passwords = [password];
  }
  const isRefusedWrongly = answer.code === "INVALID_CREDENTIALS" && answer.kind === "refused" && !isWrong;
  if (isRefusedWrongly && isCalm && isKnown && !isOut) {
    throw new Broken(`${member.name} could not sign in with the password that was acknowledged`);
  }
  return `${member.name}${isWrong ? " with a wrong password" : ""}: ${answer.code}`;
}

/** Picks any member but the administrator, who has no other way in. */
const pickOther = (world: World, random: Random) => random.pick(present(world.model).slice(1));

async function change(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const session = member && (await openSession(world, random, member));
  if (!member || !session) return NOBODY;
  const [currentPassword = ""] = member.passwords;
  const isKnown = member.passwords.length === 1;
  const password = newPassword(random);
  const end = begin(member, { disturbs: true });
  const body = { currentPassword, password };
  const answer = await callApi(world, random, changePassword, { token: session.token, body });
  const isSure = end() && answer.kind === "done";
  if (answer.kind === "refused") {
    if (answer.code === "VALIDATION_ERROR" && isKnown && member.passwords.length === 1 && member.begun === 0)
      throw new Broken(`${member.name} could not prove the password that was acknowledged`);
    return `${member.name}: ${answer.code}`;
  }
  replacePassword(member, password, isSure);
  endSessions(member, isSure ? "no" : "unsure", session);
  if (!isSure) session.live = "unsure";
  return `${member.name}: ${answer.code}`;
}

/** Checks that a member's session opens their account, and that an ended one opens nothing. */
async function probe(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const session = member && random.pick(member.sessions);
  if (!member || !session) return NOBODY;
  const [before, isOut] = [session.live, mayBeLockedOut(member, world.clock.latest())];
  const end = begin(member);
  const answer = await callApi<User>(world, random, readUser, { token: session.token });
  const isCalm = end() && session.live === before;
  if (answer.kind === "done") {
    if (answer.body.id !== member.id) throw new Broken(`${member.name} is shown ${answer.body.id}`);
    if (isCalm && before === "no") throw new Broken(`a session of ${member.name} that has ended opens the account`);
    session.usedAt = world.clock.now().getTime();
    if (isCalm) session.live = "yes";
  } else if (answer.kind === "refused" && isCalm) {
    if (before === "yes" && !isOut && isFresh(world, session))
      throw new Broken(`a session of ${member.name} opens nothing: ${answer.code}`);
    session.live = "no";
  }
  return `${member.name}, whose session is ${before === "yes" ? "live" : before === "no" ? "over" : "unsure"}: ${answer.code}`;
}

/** Returns whether a session is well within its lifetime, idle and total, wherever the clock has been. */
function isFresh({ clock }: World, { startedAt, usedAt }: Session) {
  return clock.latest() - usedAt < 13 * DAY && clock.latest() - startedAt < 29 * DAY;
}

async function signOut(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const session = member && (await openSession(world, random, member));
  if (!member || !session) return NOBODY;
  const isOthers = random.chance(0.4);
  const end = begin(member, { disturbs: true });
  const answer = await callApi(world, random, isOthers ? revokeOtherSessions : logout, { token: session.token });
  const isSure = end() && answer.kind === "done";
  if (answer.kind === "refused") return `${member.name}: ${answer.code}`;
  if (isOthers) endSessions(member, isSure ? "no" : "unsure", session);
  else session.live = isSure ? "no" : "unsure";
  return `${member.name}${isOthers ? " on all other devices" : ""}: ${answer.code}`;
}

async function leave(world: World, random: Random): Promise<string> {
  const member = pickOther(world, random);
  const session = member && (await openSession(world, random, member));
  if (!member || !session) return NOBODY;
  const end = begin(member, { disturbs: true });
  const [before, latest] = [member.leaving, world.clock.latest()];
  const body = { password: member.passwords[0] };
  const answer = await callApi<{ deletionDueAt: string }>(world, random, requestDeletion, {
    token: session.token,
    body,
  });
  const isSure = end() && answer.kind === "done";
  if (answer.kind === "refused") return `${member.name}: ${answer.code}`;
  member.leaving = isSure ? "yes" : "unsure";
  // The earliest time at which it may happen.
  const due = Date.parse(answer.body?.deletionDueAt ?? "") || world.clock.now().getTime() + 14 * DAY;
  member.leavesAt = Math.min(before === "no" ? Infinity : member.leavesAt, due, latest + 14 * DAY);
  if (before !== "yes") endSessions(member, isSure ? "no" : "unsure", session);
  return `${member.name}: ${answer.code}`;
}

async function stay(world: World, random: Random): Promise<string> {
  const member = random.pick(present(world.model).filter(({ leaving }) => leaving !== "no"));
  const session = member && (await openSession(world, random, member));
  if (!member || !session) return NOBODY;
  const end = begin(member, { disturbs: true });
  const answer = await callApi(world, random, keepAccount, { token: session.token });
  const isSure = end() && answer.kind === "done";
  if (answer.kind !== "refused") member.leaving = isSure ? "no" : "unsure";
  return `${member.name}: ${answer.code}`;
}

async function accept(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const session = member && (await openSession(world, random, member));
  if (!member || !session) return NOBODY;
  const document = random.pick(["tos", "pp"] as const) ?? "tos";
  const endpoint = document === "tos" ? acceptTerms : acceptPrivacy;
  const answer = await callApi(world, random, endpoint, { token: session.token });
  if (answer.kind === "done") member.accepted.add(document);
  return `${member.name}, ${document}: ${answer.code}`;
}

export const SESSIONS: Step[] = [
  { name: "sign in", weight: 8, together: true, run: signIn },
  { name: "use a session", weight: 8, together: true, run: probe },
  { name: "change a password", weight: 2, together: true, run: change },
  { name: "sign out", weight: 2, together: true, run: signOut },
  { name: "ask to be deleted", weight: 2, together: true, run: leave },
  { name: "stay", weight: 1, together: true, run: stay },
  { name: "accept a document", weight: 2, together: true, run: accept },
];
