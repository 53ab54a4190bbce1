import { expect, test } from "vitest";
import { createTestApi, fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { tokenOf as linkOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { sendCampaignEmail } from "../campaign-mail/contract.ts";
import { requestEmailChange, verifyEmailChange } from "../email-change/contract.ts";
import { forgotPassword, login, openRecovery, resendPasswordReset, resendVerification, signUp } from "./contract.ts";
import { createPasswordHasher } from "./password/password-hasher.ts";

const MINUTE = 60_000;
const passwords = createPasswordHasher({ memoryKib: 64 });
const { api, clock, database, mailbox } = await openTestApi({ passwords });
const email = "ada@nodebeat.test";

type From = { clientAddress?: string; headers?: Record<string, string> };

const join = async (address = email, from: From = {}) =>
  api.call(signUp, {
    body: { email: address, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) },
    ...from,
  });
const forget = async (address = email, from: From = {}) =>
  api.call(forgotPassword, { body: { email: address, turnstileToken: await fillForm(api, clock) }, ...from });

const browser = (name: string) => ({ headers: { "X-Device-Token": name.repeat(43) } });

/** Returns the token for asking for the first email again. */
const tokenOf = ({ body }: { body: unknown }) => Object.values(body as Record<string, string>)[0] ?? "";

async function countMails() {
  await mailbox.deliver();
  return mailbox.mails.length;
}

const WAYS = [
  ["sign-ups", join, resendVerification],
  ["forgotten passwords", forget, resendPasswordReset],
] as const;
const OWNERS = [
  ["a member", () => seedMember(api.deps, { email })],
  ["nobody", async () => {}],
] as const;

test.for(WAYS.flatMap((way) => OWNERS.map((owner) => [way[0], owner[0], way, owner] as const)))(
  "five %s with the address of %s, and all their resends, send five emails in total",
  async ([, , [, ask, resend], [, seed]]) => {
    await seed();
    const tokens: string[] = [];
    for (let index = 0; index < 5; index++) tokens.push(tokenOf(await ask()));
    const states = new Set<string>();
    for (const wait of [1, 2, 5]) {
      clock.advance(wait * MINUTE);
      for (const token of tokens) states.add((await api.read(resend, { body: { token } })).resend.state);
    }
    expect([...states]).toEqual(["FIRST_RESEND", "SECOND_RESEND", "MAX_ATTEMPTS"]);
    expect(await countMails()).toBe(5);
  },
);

test("all forms and all spellings of a mailbox share a limit: five emails, then one every ten minutes", async () => {
  const members = [await seedMember(api.deps), await seedMember(api.deps, { email })];
  const campaign = async (index: number, address: string) =>
    api.call(sendCampaignEmail, { token: members[index]?.token ?? "", body: { email: address } });
  const first = await join("a.da@nodebeat.test");
  await forget("ADA@nodebeat.test");
  await campaign(0, "ada+one@nodebeat.test");
  await campaign(1, "ada+two@nodebeat.test");
  expect(await countMails()).toBe(4);

  clock.advance(MINUTE);
  const answers = [
    await api.call(resendVerification, { body: { token: tokenOf(first) } }),
    await forget(),
    await join("ada+three@nodebeat.test"),
    await campaign(0, "ada+four@nodebeat.test"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await countMails()).toBe(5);
  expect(await forget("grace@nodebeat.test")).toMatchObject({ status: 200 });
  expect(await countMails()).toBe(6);

  clock.advance(9 * MINUTE);
  expect([await forget(), await forget()]).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(await countMails()).toBe(7);
});

test("fifty concurrent reset requests for one mailbox send five emails", async () => {
  const forms: string[] = [];
  for (let index = 0; index < 50; index++) forms.push(await fillForm(api, clock));
  const answers = await Promise.all(
    forms.map((turnstileToken, index) =>
      api.call(forgotPassword, { body: { email: `ada+${index}@nodebeat.test`, turnstileToken } }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await countMails()).toBe(5);
});

test("a stranger who uses up a mailbox's limit does not stop email to its owner's known browser", async () => {
  const [home, elsewhere] = [browser("h"), browser("x")];
  await seedMember(api.deps, { email, password: TEST_PASSWORD });
  await api.read(login, {
    body: { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) },
    ...home,
  });
  for (let index = 0; index < 6; index++) await forget();
  const before = await countMails();

  await forget(email, elsewhere);
  expect(await countMails()).toBe(before);
  for (let index = 0; index < 5; index++) await forget(email, home);
  expect(await countMails()).toBe(before + 5);
  const token = tokenOf(await forget(email, home));
  expect(await countMails()).toBe(before + 5);
  clock.advance(10 * MINUTE);
  await api.read(resendPasswordReset, { body: { token }, ...home });
  expect(await countMails()).toBe(before + 6);
});

test("each member has a limit of their own in each known browser", async () => {
  const grace = "grace@nodebeat.test";
  for (const [address, devices] of [[email, "hx"] as const, [grace, "h"] as const]) {
    await seedMember(api.deps, { email: address, password: TEST_PASSWORD });
    for (const device of devices) {
      const body = { email: address, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
      await api.read(login, { body, ...browser(device) });
    }
  }
  const before = await countMails();
  for (let index = 0; index < 6; index++) await forget(email, browser("h"));
  expect(await countMails()).toBe(before + 5);
  await forget(email, browser("x"));
  await forget(grace, browser("h"));
  expect(await countMails()).toBe(before + 7);
});

test("a code mailed to another address does not confirm one whose email limit is used up", async () => {
  const { token } = await seedMember(api.deps);
  const change = (to: string) => api.read(requestEmailChange, { token, body: { email: to, password: TEST_PASSWORD } });
  await change("mallory@nodebeat.test");
  const { code: verificationCode } = await mailbox.read("mallory@nodebeat.test");
  for (let index = 0; index < 5; index++) await forget();
  const before = await countMails();
  clock.advance(MINUTE);
  await change(email);
  expect(await countMails()).toBe(before);
  expect(await api.call(verifyEmailChange, { token, body: { verificationCode } })).toMatchObject({ status: 400 });
});

test("a link made with a lost secret keeps working if the email limit suppresses its resend", async () => {
  await seedMember(api.deps, { email });
  const token = tokenOf(await forget());
  const link = linkOf(await mailbox.read(email));
  const anew = createTestApi(database, { now: clock.now, secrets: ["another secret, as long as a key has to be"] });
  // The other secret also resets the limits.
  for (let index = 0; index < 5; index++)
    await anew.read(forgotPassword, { body: { email, turnstileToken: await fillForm(anew, clock) } });
  clock.advance(MINUTE);
  expect(await anew.call(resendPasswordReset, { body: { token } })).toMatchObject({ status: 200 });
  expect(await anew.call(openRecovery, { body: { token: link } })).toMatchObject({ status: 200 });
});

test("an expired code or link is not mailed", async () => {
  // Long ago, so that they have expired by the database's clock too.
  clock.advance(-2 * 24 * 60 * MINUTE);
  await seedMember(api.deps, { email });
  await join("grace@nodebeat.test");
  clock.advance(23 * 60 * MINUTE);
  await forget();
  clock.advance(61 * MINUTE);
  expect(await countMails()).toBe(0);
});

/** Returns a client in one network, with a varying address. */
const attacker = (host: number) => ({ clientAddress: `2001:db8:1:2::${host}` });

test("one network can use only four of a mailbox's five emails, then one every half hour", async () => {
  for (let index = 0; index < 5; index++) await forget(email, attacker(index));
  expect(await countMails()).toBe(4);
  // Somebody else in that network still gets email.
  await forget("grace@nodebeat.test", attacker(5));
  expect(await countMails()).toBe(5);
  await forget();
  expect(await countMails()).toBe(6);

  for (let minutes = 0; minutes < 60; minutes += 10) {
    clock.advance(10 * MINUTE);
    await forget(email, attacker(minutes));
    await forget();
  }
  // One email every ten minutes in total, of which two were the attacker's.
  const inAnHour = (await countMails()) - 6;
  expect(inAnHour).toBe(6);
  expect(await forget(email, attacker(60))).toMatchObject({ status: 200 });
});
