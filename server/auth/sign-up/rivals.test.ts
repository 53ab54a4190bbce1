import { expect, test } from "vitest";
import { fillForm, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { tokenOf } from "../../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { wrongCode } from "../../../tests/support/api/wrong-code.ts";
import { users } from "../../db/schema.ts";
import { login, resendVerification, signUp, verify } from "../contract.ts";

/* Several sign-ups with one address, one of which may be a stranger's (docs/decisions/0075). */

const HOUR = 60 * 60 * 1000;
const { api, clock, database, mailbox } = await openTestApi();
const email = "ada@nodebeat.test";

async function fillIn<Body extends object>(body: Body) {
  const turnstileToken = await fillForm(api, clock);
  return { body: { ...body, turnstileToken } };
}

/** Signs somebody up, and returns what their email contains. */
async function startSignUp(input: { email?: string; password?: string } = {}, headers = {}) {
  const { body } = await fillIn({ email, password: TEST_PASSWORD, ...input });
  const { signupToken: token } = await api.read(signUp, { body, headers });
  const mail = await mailbox.read(body.email);
  return { token, code: mail.code ?? "", linkToken: tokenOf(mail) };
}

const resend = (token: string) => api.call(resendVerification, { body: { token } });
const verifyWith = (body: object) => api.call(verify, { body });

test("with several sign-ups for an address, a link is refused and the code sets its own password", async () => {
  const strangers = await startSignUp({ password: "the stranger's password" });
  const owners = await startSignUp({ email: email.toUpperCase() });
  for (const { linkToken } of [strangers, owners])
    expect(await verifyWith({ token: linkToken })).toMatchObject({
      status: 422,
      body: { error: "REQUIREMENTS_NOT_MET", message: expect.stringContaining("Enter the code from our email") },
    });
  expect(await database.db.$count(users)).toBe(0);

  expect((await verifyWith({ token: owners.token, verificationCode: owners.code })).status).toBe(200);
  const tryWith = async (password: string) => (await api.call(login, await fillIn({ email, password }))).status;
  expect([await tryWith(TEST_PASSWORD), await tryWith("the stranger's password")]).toEqual([200, 401]);
});

test("a link works if all sign-ups for its address came from one browser", async () => {
  const laptop = { "X-Device-Token": "l".repeat(43) };
  const first = await startSignUp({}, laptop);
  await startSignUp({ password: "another pass phrase" }, laptop);
  expect((await verifyWith({ token: first.linkToken })).status).toBe(200);
});

test("a sign-up without a device token counts as from another browser", async () => {
  await startSignUp({ password: "the stranger's password" });
  const { linkToken } = await startSignUp({}, { "X-Device-Token": "l".repeat(43) });
  expect((await verifyWith({ token: linkToken })).status).toBe(422);
});

test("a link works again once the other sign-ups for its address have expired", async () => {
  await startSignUp();
  clock.advance(23 * HOUR);
  const { linkToken } = await startSignUp();
  expect((await verifyWith({ token: linkToken })).status).toBe(422);
  clock.advance(HOUR);
  expect((await verifyWith({ token: linkToken })).status).toBe(200);
});

test("a resend past the email limit keeps the code valid and renews no attempts", async () => {
  for (let index = 0; index < 2; index++) await startSignUp();
  const [tried, { token }] = [await startSignUp(), await startSignUp()];
  const wrong = { token: tried.token, verificationCode: wrongCode(tried.code) };
  for (let index = 0; index < 5; index++) await verifyWith(wrong);
  clock.advance(60_000);
  expect((await resend(token)).status).toBe(200);
  const { code } = await mailbox.read(email);
  await mailbox.deliver();
  const { length } = mailbox.mails;
  clock.advance(120_000);
  for (const each of [token, tried.token]) expect((await resend(each)).status).toBe(200);
  await mailbox.deliver();
  expect(mailbox.mails).toHaveLength(length);
  // A code that has used up its five attempts gets no more, and the response does not say so.
  expect(await verifyWith({ token: tried.token, verificationCode: tried.code })).toMatchObject({
    status: 400,
    body: { message: "That code is not right. 4 attempts left." },
  });
  expect((await verifyWith({ token, verificationCode: code })).status).toBe(200);
});
