import { issueBotCheck, login } from "../../../server/auth/contract.ts";
import type { User } from "../../../server/profile/contract.ts";
import { callApi, type Outcome } from "../call-api.ts";
import { begin, liveSession, mayBeLockedOut, type Member, type Session } from "../model.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";

/** Returns a token of the bot check, after as long as a person takes. */
export async function fillForm(world: World, random: Random): Promise<string> {
  const { body } = await callApi<{ turnstileToken: string }>(world, random, issueBotCheck);
  world.clock.advance(400 + random.below(20_000));
  return body.turnstileToken ?? "lost";
}

export const newPassword = (random: Random) => `pass phrase ${random.below(1e9)}`;

/** Sets the password that a member has from now on, or adds one that they may have. */
export function replacePassword(member: Member, password: string, isSure: boolean): void {
  member.passwords = isSure ? [password] : [...member.passwords, password];
}

type LoginOutcome = Outcome<{ access_token: string; user: User }>;

/** Signs in, and keeps the session if there is one. */
export async function signInAs(world: World, random: Random, member: Member, password: string) {
  const body = { email: member.email, password, turnstileToken: await fillForm(world, random) };
  const end = begin(member);
  const browser = random.pick(member.browsers) ?? "";
  const answer: LoginOutcome = await callApi(world, random, login, { browser, body });
  const isCalm = end();
  if (answer.kind === "done") {
    const now = world.clock.now().getTime();
    const live = isCalm ? "yes" : "unsure";
    member.sessions.push({ token: answer.body.access_token, live, startedAt: now, usedAt: now });
  }
  return { answer, isCalm };
}

/** Returns a session that opens the account: an existing one, or a new one if the member can sign in. */
export async function openSession(world: World, random: Random, member: Member): Promise<Session | undefined> {
  const session = liveSession(member, random);
  const [password] = member.passwords;
  if (session || !password || mayBeLockedOut(member, world.clock.latest())) return session;
  await signInAs(world, random, member, password);
  return liveSession(member, random);
}
