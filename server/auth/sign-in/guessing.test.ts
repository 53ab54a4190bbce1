import { expect, test } from "vitest";
import { fillForm, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { tokenOf } from "../../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { checkUser, forgotPassword, login, openRecovery, resetPassword, signUp, verify } from "../contract.ts";

const { api, clock, mailbox } = await openTestApi();
const email = "ada@nodebeat.test";
const HOME = { "X-Device-Token": "h".repeat(43) };

type From = { clientAddress?: string; headers?: Record<string, string> };

const signIn = async (password: string, from: From = {}, address = email) =>
  api.call(login, { body: { email: address, password, turnstileToken: await fillForm(api, clock) }, ...from });
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

const check = (clientAddress: string) => statusOf(api.call(checkUser, { body: { email }, clientAddress }));

async function join(address: string, clientAddress?: string) {
  const body = { email: address, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  return statusOf(api.call(signUp, { body, clientAddress }));
}

/** Sends wrong passwords, each from another client, until the account's limit is used up. */
async function attack(address = email) {
  const statuses = [];
  for (let index = 0; index < 10; index++) statuses.push(await statusOf(signIn(`a wrong guess ${index}`, {}, address)));
  expect(statuses).toEqual(Array.from({ length: 10 }, () => 401));
}

test("guesses at an account are rate limited across all clients, and the response says when to retry", async () => {
  await seedMember(api.deps, { email });
  await attack();
  const answer = await signIn(TEST_PASSWORD);
  expect(answer).toMatchObject({
    status: 429,
    body: { error: "TOO_MANY_ATTEMPTS", message: "Too many attempts. Please try again in 87 seconds." },
  });
  expect(answer.headers.get("Retry-After")).toBe("87");
  clock.advance(90_000);
  expect(await statusOf(signIn(TEST_PASSWORD))).toBe(200);
});

test("an attack does not lock out a member in a known browser", async () => {
  await seedMember(api.deps, { email });
  expect(await statusOf(signIn(TEST_PASSWORD, { headers: HOME }))).toBe(200);
  await attack();
  expect(await statusOf(signIn(TEST_PASSWORD))).toBe(429);
  expect(await statusOf(signIn(TEST_PASSWORD, { headers: HOME }))).toBe(200);
  expect(await statusOf(signIn(TEST_PASSWORD, { headers: { "X-Device-Token": "x".repeat(43) } }))).toBe(429);
});

test("an attack does not lock out a member in the browser that reset the password", async () => {
  await seedMember(api.deps, { email });
  await attack();
  await api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  const { recoveryToken } = await api.read(openRecovery, { body: { token: tokenOf(await mailbox.read(email)) } });
  const password = "a new pass phrase";
  const reset = api.call(resetPassword, { body: { token: recoveryToken, password }, headers: HOME });
  expect(await statusOf(reset)).toBe(200);
  expect(await statusOf(signIn(password))).toBe(429);
  expect(await statusOf(signIn(password, { headers: HOME }))).toBe(200);
});

test("a known browser is rate limited too", async () => {
  await seedMember(api.deps, { email });
  await signIn(TEST_PASSWORD, { headers: HOME });
  const statuses = [];
  for (let index = 0; index < 11; index++) statuses.push(await statusOf(signIn("a wrong guess", { headers: HOME })));
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
});

test("a browser known for another account is not known for this one", async () => {
  await seedMember(api.deps, { email });
  const eve = await seedMember(api.deps);
  expect(await statusOf(signIn(TEST_PASSWORD, { headers: HOME }, eve.user.email))).toBe(200);
  await attack();
  expect(await statusOf(signIn(TEST_PASSWORD, { headers: HOME }))).toBe(429);
});

test("each known browser of a member has its own limit", async () => {
  const office = { "X-Device-Token": "o".repeat(43) };
  await seedMember(api.deps, { email });
  for (const headers of [HOME, office]) expect(await statusOf(signIn(TEST_PASSWORD, { headers }))).toBe(200);
  for (let index = 0; index < 10; index++) await signIn("a wrong guess", { headers: HOME });
  expect(await statusOf(signIn(TEST_PASSWORD, { headers: HOME }))).toBe(429);
  expect(await statusOf(signIn(TEST_PASSWORD, { headers: office }))).toBe(200);
});

test("guesses at an unknown address are rate limited in the same way, from a browser with a token too", async () => {
  await seedMember(api.deps, { email });
  for (const address of [email, "nobody@nodebeat.test"]) {
    await attack(address);
    for (const from of [{}, { headers: HOME }]) {
      const answer = await signIn("another guess", from, address);
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "87"]);
    }
  }
});

test("a client's guesses are rate limited across all accounts, without affecting other clients", async () => {
  const clientAddress = "203.0.113.7";
  const statuses = [];
  for (let index = 0; index < 31; index++)
    statuses.push(await statusOf(signIn("a wrong guess", { clientAddress }, `member-${index}@nodebeat.test`)));
  // The limit allows one more every ten seconds, and filling in the forms took nine.
  expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401));
  expect(statuses[30]).toBe(429);
  await seedMember(api.deps, { email });
  expect(await statusOf(signIn(TEST_PASSWORD, { clientAddress: "203.0.113.8" }))).toBe(200);
});

test("all addresses of one IPv6 network count as one client", async () => {
  for (let index = 0; index < 30; index++) {
    await check(`2001:db8:1:2::${index.toString(16)}`);
  }
  expect([await check("2001:db8:1:2:ffff::1"), await check("2001:db8:1:3::1")]).toEqual([429, 200]);
});

test("a failed bot check does not count against the limits of its address", async () => {
  await seedMember(api.deps, { email });
  const refused = { password: TEST_PASSWORD, turnstileToken: "not one of ours" };
  for (const endpoint of [signUp, login, forgotPassword]) {
    for (let index = 0; index < 11; index++)
      expect(await statusOf(api.call(endpoint, { body: { email, ...refused } }))).toBe(422);
  }
  expect(await statusOf(signIn(TEST_PASSWORD))).toBe(200);
  expect(await join(email)).toBe(200);
  await api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  await mailbox.deliver();
  expect(mailbox.mails.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(["You already have an account", "Choose a new password"]),
  );
});

test("a sign-up with an unknown referral code does not count against the limits of its address", async () => {
  for (let index = 0; index < 6; index++) {
    const body = { email, password: TEST_PASSWORD, referralCode: "ZZZZZ", turnstileToken: await fillForm(api, clock) };
    expect(await statusOf(api.call(signUp, { body }))).toBe(400);
  }
  expect(await join(email)).toBe(200);
});

test("a mailbox gets at most five reset emails; the response stays the same and the links keep working", async () => {
  await seedMember(api.deps, { email });
  const ask = async () => api.call(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  const answers = [];
  for (let index = 0; index < 8; index++) answers.push(await ask());
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  await mailbox.deliver();
  expect(mailbox.mails).toHaveLength(5);
  const [first] = mailbox.mails;
  expect(await statusOf(api.call(openRecovery, { body: { token: tokenOf(first ?? {}) } }))).toBe(200);
});

test("attempts at codes and links are rate limited per client", async () => {
  const clientAddress = "203.0.113.10";
  const guess = () =>
    statusOf(api.call(verify, { body: { token: "a guess", verificationCode: "123456" }, clientAddress }));
  const statuses = [];
  for (let index = 0; index < 31; index++) statuses.push(await guess());
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 410), 429]);
  const body = { token: "a guess", password: TEST_PASSWORD };
  expect(await statusOf(api.call(openRecovery, { body, clientAddress }))).toBe(429);
  expect(await statusOf(api.call(resetPassword, { body, clientAddress }))).toBe(429);
});
