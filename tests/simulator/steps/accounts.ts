import { forgotPassword, openRecovery, resetPassword, signUp, verify } from "../../../server/auth/contract.ts";
import type { User } from "../../../server/profile/contract.ts";
import { callApi } from "../call-api.ts";
import { begin, Broken, endSessions, newMember, pickMember, present, type Member, type SignUp } from "../model.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";
import { fillForm, newPassword, replacePassword, signInAs } from "./sign-in.ts";
import { NOBODY, type Step } from "./step.ts";

/** The most members of a simulation. */
const MOST_MEMBERS = 9;

async function requestAccount(world: World, random: Random): Promise<string> {
  const { model } = world;
  if (present(model).length + model.signUps.length >= MOST_MEMBERS) return NOBODY;
  const inviter = random.chance(0.7) ? pickMember(model, random) : undefined;
  model.names += 1;
  // Some share a mailbox or a browser with their inviter, so that the invitation is held.
  const twin =
    inviter && random.chance(0.2) ? `${inviter.email.split("@")[0]?.split("+")[0]}+${model.names}` : undefined;
  const email = `${twin ?? `member${model.names}`}@mail.example`;
  const browser = (random.chance(0.1) && inviter?.browsers[0]) || `browser-${model.names}-`;
  const password = newPassword(random);
  const body = { email, password, turnstileToken: await fillForm(world, random) };
  const answer = await callApi<{ signupToken: string }>(world, random, signUp, {
    browser,
    body: { ...body, ...(inviter && { referralCode: inviter.code }) },
  });
  if (answer.kind === "done") {
    model.signUps.push({ email, password, browser, inviter, token: answer.body.signupToken, isMaybe: false });
  }
  return `${email}${inviter ? `, invited by ${inviter.name}` : ""}: ${answer.code}`;
}

async function verifyAccount(world: World, random: Random): Promise<string> {
  const waiting = random.pick(world.model.signUps);
  if (!waiting) return NOBODY;
  const { browser, email, token } = waiting;
  const code = world.parties.mails.findLast((mail) => mail.to === email && mail.code)?.code;
  if (!code) return `${email} has no mail yet`;
  const isWrong = random.chance(0.1);
  const verificationCode = isWrong ? String((Number(code) + 1) % 1e6).padStart(6, "0") : code;
  const answer = await callApi<{ accessToken: string; user: User }>(world, random, verify, {
    browser,
    body: { token, verificationCode },
  });
  if (isWrong && answer.kind === "done") throw new Broken(`${email} became a member with a wrong code`);
  if (isWrong) return `${email} with a wrong code: ${answer.code}`;
  if (answer.kind === "done") {
    const member = welcome(world, waiting, answer.body.user);
    const now = world.clock.now().getTime();
    member.sessions.push({ token: answer.body.accessToken, live: "yes", startedAt: now, usedAt: now });
  }
  // They may be a member already without having been told: they sign in.
  if (answer.kind === "unknown" || answer.code === "ALREADY_USED") waiting.isMaybe = true;
  if (answer.code === "ALREADY_USED") return findOut(world, random, waiting);
  if (answer.kind === "refused" && answer.code === "EXPIRED") drop(world, waiting);
  return `${email}: ${answer.code}`;
}

async function findOut(world: World, random: Random, waiting: SignUp): Promise<string> {
  const { email, password, browser } = waiting;
  const guess = newMember({ id: "", email, code: "", browsers: [browser], passwords: [password] }, "somebody");
  const { answer } = await signInAs(world, random, guess, password);
  if (answer.kind !== "done") return `${email} is one already, and cannot sign in yet: ${answer.code}`;
  const member = welcome(world, waiting, answer.body.user);
  member.sessions.push(...guess.sessions);
  return `${email} was one already`;
}

function welcome(world: World, { browser, email, inviter, password, ...waiting }: SignUp, user: User): Member {
  const { model } = world;
  const known = model.members.find(({ id }) => id === user.id);
  // Verified twice at the same moment.
  if (known?.email === email) return known;
  if (known) throw new Broken(`${email} became the member ${known.name}`);
  if (user.email !== email) throw new Broken(`${email} became somebody with the address ${user.email}`);
  if (user.invited_by !== (inviter?.id ?? null) && !inviter?.isErased && inviter?.leaving !== "yes")
    throw new Broken(`${email} was invited by ${inviter?.name ?? "nobody"}, and has ${user.invited_by}`);
  const name = `m${model.members.length}`;
  const member = newMember(
    {
      id: user.id,
      email,
      code: user.personal_code ?? "",
      browsers: [browser, `second-${name}-`],
      passwords: [password],
    },
    name,
  );
  model.members.push(member);
  if (inviter) inviter.friends += 1;
  model.signUps = model.signUps.filter(({ token }) => token !== waiting.token);
  return member;
}

function drop(world: World, waiting: SignUp) {
  if (!waiting.isMaybe) world.model.signUps = world.model.signUps.filter((each) => each !== waiting);
}

async function forget(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  if (!member) return NOBODY;
  const mails = countMails(world, member);
  const body = { email: member.email, turnstileToken: await fillForm(world, random) };
  const answer = await callApi<{ resetToken: string }>(world, random, forgotPassword, { body });
  if (answer.kind === "done") world.model.resets.push({ member, mails, token: answer.body.resetToken });
  return `${member.name}: ${answer.code}`;
}

const linksTo = ({ parties }: World, { email }: Member) =>
  parties.mails.filter(({ link, to }) => to === email && link?.includes("/auth/reset-password"));
const countMails = (world: World, member: Member) => linksTo(world, member).length;

async function reset(world: World, random: Random): Promise<string> {
  const asked = world.model.resets.shift();
  if (!asked || asked.member.isErased) return NOBODY;
  const { member } = asked;
  const link = linksTo(world, member).slice(asked.mails).at(-1)?.link;
  if (!link) return `${member.name} has no mail yet`;
  const opened = await callApi<{ recoveryToken: string }>(world, random, openRecovery, {
    body: { token: codeOf(link) },
  });
  if (opened.kind !== "done") return `${member.name} opens the link: ${opened.code}`;
  const password = newPassword(random);
  const end = begin(member, { disturbs: true });
  const answer = await callApi(world, random, resetPassword, { body: { token: opened.body.recoveryToken, password } });
  const isSure = end();
  if (answer.kind === "refused") return `${member.name}: ${answer.code}`;
  replacePassword(member, password, answer.kind === "done" && isSure);
  endSessions(member, answer.kind === "done" && isSure ? "no" : "unsure");
  return `${member.name}: ${answer.code}`;
}

const codeOf = (link: string) => [...new URL(link).searchParams.values()][0] ?? "";

export const ACCOUNTS: Step[] = [
  { name: "sign up", weight: 8, together: true, run: requestAccount },
  { name: "verify", weight: 10, together: true, run: verifyAccount },
  { name: "forget a password", weight: 2, together: true, run: forget },
  { name: "reset a password", weight: 3, together: true, run: reset },
];
