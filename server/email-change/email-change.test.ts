import { expect, test } from "vitest";
import { createTestApi, fillForm, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { wrongCode } from "../../tests/support/api/wrong-code.ts";
import { changePassword, forgotPassword, login, openRecovery } from "../auth/contract.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { readUser } from "../profile/contract.ts";
import { readSecurityActivity } from "../security-activity/contract.ts";
import { startSession } from "../sessions/service.ts";
import { readEmailChange, requestEmailChange, resendEmailChange, verifyEmailChange } from "./contract.ts";

const HOUR = 60 * 60 * 1000;
const { api, clock, database, mailbox } = await openTestApi();
const former = "ada@nodebeat.test";
const email = "Ada@elsewhere.test";

const request = (token: string, input: object = {}) =>
  api.call(requestEmailChange, { token, body: { email, password: TEST_PASSWORD, ...input } });
const resend = (token: string) => api.call(resendEmailChange, { token });
const verify = (token: string, verificationCode = "") =>
  api.call(verifyEmailChange, { token, body: { verificationCode } });
const read = (token: string) => api.read(readEmailChange, { token });
const emailOf = async (token: string) => (await api.read(readUser, { token })).email;

const asDevice = (device: string) => ({ "X-Device-Token": device.padEnd(43, "_") });

async function signIn(address: string, headers = {}) {
  const body = { email: address, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  return (await api.call(login, { body, headers })).status;
}

/** Creates a member who has asked for a change, and returns the code that was mailed. */
async function ask() {
  const { token, user } = await seedMember(api.deps, { email: former });
  await api.read(requestEmailChange, { token, body: { email, password: TEST_PASSWORD } });
  const { code = "" } = await mailbox.read(email);
  return { token, user, code };
}

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

test("a clock that was ahead when an email was sent does not block later requests", async () => {
  const { token } = await seedMember(api.deps, { email: former });
  clock.advance(13 * 24 * HOUR);
  expect((await request(token)).status).toBe(200);
  clock.advance(-13 * 24 * HOUR);
  expect((await resend(token)).status).toBe(200);
  expect((await resend(token)).status).toBe(429);
  clock.advance(HOUR);
  expect((await request(token, { email: "ada@third.test" })).status).toBe(200);
});

test("confirming the code changes the sign-in address and signs the member out everywhere else", async () => {
  const { token, user } = await seedMember(api.deps, { email: former });
  const { token: other } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  expect(await read(token)).toEqual({ isOffered: true, pending: null });

  const step = { state: "INITIAL", timestamp: clock.now().getTime(), duration: 60_000 };
  expect(await request(token)).toMatchObject({ status: 200, body: { resend: step } });
  expect(await read(token)).toEqual({ isOffered: true, pending: { email, resend: step } });
  expect(await emailOf(token)).toBe(former);
  const mail = await mailbox.read(email);
  expect(mail.subject).toBe("Confirm your new email");

  const message = `You sign in with ${email} from now on.`;
  expect(await verify(token, mail.code)).toMatchObject({ status: 200, body: { success: true, message } });

  expect(await emailOf(token)).toBe(email);
  expect(await read(token)).toEqual({ isOffered: true, pending: null });
  expect((await api.call(readUser, { token: other })).status).toBe(401);
  expect([await signIn(former), await signIn(email.toLowerCase())]).toEqual([401, 200]);
  const { events } = await api.read(readSecurityActivity, { token });
  expect(events.map(({ kind }) => kind)).toContain("email-changed");
  const notice = await mailbox.read(former);
  expect(notice.subject).toBe("You now sign in with another address");
  expect(notice.text).not.toContain("elsewhere");
});

test("an address change makes every browser new again except the one it was made in", async () => {
  const { token, code } = await ask();
  for (const device of ["laptop", "stranger"]) await signIn(former, asDevice(device));
  await api.read(verifyEmailChange, { token, body: { verificationCode: code }, headers: asDevice("laptop") });
  await mailbox.deliver();
  mailbox.mails.length = 0;
  for (const device of ["laptop", "stranger"]) await signIn(email, asDevice(device));
  await mailbox.deliver();
  expect(mailbox.mails.map(({ subject }) => subject)).toEqual(["New sign-in to your account"]);
});

test("a reset link requested before an address change stops working, even if the address is changed back", async () => {
  const { token } = await seedMember(api.deps, { email: former });
  await api.read(forgotPassword, { body: { email: former, turnstileToken: await fillForm(api, clock) } });
  const link = tokenOf(await mailbox.read(former));
  for (const address of [email, former]) {
    await request(token, { email: address });
    await verify(token, (await mailbox.read(address)).code);
    await mailbox.deliver();
    expect(await emailOf(token)).toBe(address);
    expect(await api.call(openRecovery, { body: { token: link } })).toMatchObject({ status: 410 });
  }
});

test("a new password cancels an address change requested with the old one", async () => {
  const { token, code } = await ask();
  const passwords = { currentPassword: TEST_PASSWORD, password: "a new pass phrase" };
  await api.read(changePassword, { token, body: passwords });
  expect(await verify(token, code)).toMatchObject({ status: 410, body: { error: "EXPIRED" } });
  expect(await emailOf(token)).toBe(former);
});

test("a session that a new password ends during its own request cannot request an address change", async () => {
  const { token, user } = await seedMember(api.deps, { email: former });
  const { token: stranger } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  const { passwords } = api.deps;
  const verify: typeof passwords.verify = async (hash, given) => {
    const isRight = await passwords.verify(hash, given);
    await api.read(changePassword, { token, body: { currentPassword: TEST_PASSWORD, password: "a new pass phrase" } });
    return isRight;
  };
  const slow = createTestApi(database, { now: clock.now, passwords: { ...passwords, verify } });
  const body = { email, password: TEST_PASSWORD };
  expect(await slow.call(requestEmailChange, { token: stranger, body })).toMatchObject({ status: 401 });
  expect((await read(token)).pending).toBeNull();
});

test.for<[string, object, string, string]>([
  ["a wrong password", { password: "wrong" }, "password", "That is not your password."],
  ["no password", { password: "" }, "password", "Enter your password."],
  ["no address", { email: "ada" }, "email", "Enter a valid email."],
  ["the address that it is", { email: " ADA@nodebeat.test" }, "email", "You already sign in with this address."],
])("rejects %s with a message for its field, and sends no email", async ([, input, field, message]) => {
  const { token } = await seedMember(api.deps, { email: former });
  expect(await request(token, input)).toMatchObject({ status: 400, body: { fields: { [field]: [message] } } });
  await mailbox.deliver();
  expect(mailbox.mails).toEqual([]);
  expect((await read(token)).pending).toBeNull();
});

test("guesses at the password share their limit with the form that changes it", async () => {
  const { token } = await seedMember(api.deps, { email: former });
  for (let attempt = 0; attempt < 10; attempt++)
    expect(await request(token, { password: `guess ${attempt}` })).toMatchObject({ status: 400 });
  expect((await request(token)).status).toBe(429);
  const passwords = { currentPassword: TEST_PASSWORD, password: "a new pass phrase" };
  expect((await api.call(changePassword, { token, body: passwords })).status).toBe(429);
});

test("an address that has an account gets the same response, and only its owner is told", async () => {
  const owner = await seedMember(api.deps, { email });
  const { token } = await seedMember(api.deps, { email: former });
  const { token: free } = await seedMember(api.deps);
  const answers = [await request(token), await request(free, { email: "free@elsewhere.test" })];
  expect(answers[0]).toMatchObject({ status: 200, body: answers[1]?.body as object });
  expect((await read(token)).pending?.email).toBe(email);

  const mail = await mailbox.read(email);
  expect([mail.subject, mail.code]).toEqual(["You already have an account", undefined]);
  expect(await emailOf(owner.token)).toBe(email);
});

test("if two members confirm the same address, the first gets it", async () => {
  const { token, code } = await ask();
  const second = await seedMember(api.deps);
  await request(second.token);
  const { code: other } = await mailbox.read(email);
  expect(await verify(token, code)).toMatchObject({ status: 200 });
  expect(await verify(second.token, other)).toMatchObject({ status: 409, body: { error: "CONFLICT" } });
  expect(await emailOf(second.token)).not.toBe(email);
});

test("a code allows five attempts, even concurrent ones; a resend mails a new code", async () => {
  const { token, code } = await ask();
  const answers = await Promise.all(Array.from({ length: 7 }, () => verify(token, wrongCode(code))));
  expect(statuses(answers)).toEqual([400, 400, 400, 400, 400, 429, 429]);
  expect(await verify(token, code)).toMatchObject({ status: 429 });

  expect(await resend(token)).toMatchObject({ status: 429 });
  clock.advance(60_000);
  expect(await resend(token)).toMatchObject({ status: 200, body: { resend: { state: "FIRST_RESEND" } } });
  const { code: renewed = "" } = await mailbox.read(email);
  expect(await verify(token, wrongCode(renewed))).toMatchObject({ status: 400 });
  expect(await verify(token, renewed)).toMatchObject({ status: 200 });
});

test("the last mailed code keeps working if the email limit suppresses a resend", async () => {
  const { token, code } = await ask();
  for (let index = 0; index < 4; index++)
    await api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  clock.advance(60_000);
  expect(await resend(token)).toMatchObject({ status: 200, body: { resend: { state: "FIRST_RESEND" } } });
  expect((await mailbox.read(email)).code).toBeUndefined();
  expect(await verify(token, code)).toMatchObject({ status: 200 });
});

test("a code works only once, even for concurrent requests", async () => {
  const { token, code } = await ask();
  expect(statuses(await Promise.all(Array.from({ length: 4 }, () => verify(token, code))))).toEqual([
    200, 410, 410, 410,
  ]);
});

test("a code expires after a day and works only for its own member", async () => {
  const { token, code } = await ask();
  const stranger = await seedMember(api.deps);
  expect(await verify(stranger.token, code)).toMatchObject({ status: 410 });
  expect(await resend(stranger.token)).toMatchObject({ status: 410 });
  clock.advance(24 * HOUR);
  expect(await verify(token, code)).toMatchObject({ status: 410, body: { error: "EXPIRED" } });
  expect(await resend(token)).toMatchObject({ status: 410 });
  expect((await read(token)).pending).toBeNull();
  clock.advance(1);
  expect(await pruneExpired(api.deps)).toMatchObject({ emailChanges: 1 });
});

test("only one of many concurrent requests mails a code", async () => {
  const { token } = await seedMember(api.deps, { email: former });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => request(token, { email: `ada-${index}@elsewhere.test` })),
  );
  expect(statuses(answers)).toEqual([200, ...Array.from({ length: 7 }, () => 429)]);
  await mailbox.deliver();
  expect(mailbox.mails).toHaveLength(1);
});

test("another address does not bypass the wait, and starts a new resend ladder after it", async () => {
  const { token } = await ask();
  clock.advance(60_000);
  await resend(token);
  const other = { email: "third@elsewhere.test" };
  const early = await request(token, other);
  expect([early.status, early.headers.get("Retry-After")]).toEqual([429, "120"]);
  clock.advance(120_000);
  expect(await request(token, other)).toMatchObject({ status: 200, body: { resend: { state: "INITIAL" } } });
  expect((await read(token)).pending?.email).toBe(other.email);
});

test("a request made after the last one expired starts a new resend ladder", async () => {
  const { token } = await ask();
  clock.advance(24 * HOUR);
  expect(await request(token)).toMatchObject({ status: 200, body: { resend: { state: "INITIAL" } } });
});

test("an address change is not offered if another service keeps the addresses", async () => {
  const env = { ...api.deps.env, authApiUrl: "http://accounts.test" };
  const elsewhere = createTestApi(database, { now: clock.now, env });
  const { token } = await seedMember(elsewhere.deps, { email: former });
  expect(await elsewhere.read(readEmailChange, { token })).toEqual({ isOffered: false, pending: null });
  // Requested before they were kept elsewhere.
  await request(token);
  const { code: verificationCode } = await mailbox.read(email);
  clock.advance(60_000);
  const body = { email, password: TEST_PASSWORD };
  for (const answer of [
    await elsewhere.call(requestEmailChange, { token, body }),
    await elsewhere.call(resendEmailChange, { token }),
    await elsewhere.call(verifyEmailChange, { token, body: { verificationCode } }),
  ])
    expect(answer.body).toMatchObject({
      error: "REQUIREMENTS_NOT_MET",
      message: "Your address cannot be changed here.",
    });
  expect(await emailOf(token)).toBe(former);
});
