import { expect, test } from "vitest";
import { fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { seedHeardMinutes } from "../../tests/support/seeds/heard-minutes.ts";
import { deliverDue } from "../../tests/support/api/jobs.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { keepAccount, requestDeletion } from "../account-data/contract.ts";
import { resendVerification, signUp, verify } from "../auth/contract.ts";
import { sendCampaignEmail, verifyCampaignEmail } from "../campaign-mail/contract.ts";
import { requestEmailChange, resendEmailChange, verifyEmailChange } from "../email-change/contract.ts";
import { sendHeartbeats } from "../heartbeats/contract.ts";
import { setSilenceMail } from "../silence-mail/contract.ts";
import { checkForSilence } from "../silence-mail/watch.ts";

const MINUTE = 60_000;
const { api, clock, database, mailbox } = await openTestApi();
const email = "ada@elsewhere.test";

const send = () => Promise.reject(new Error("451 Greylisted, try again later"));

/**
 * Tries to send through a mail server that postpones unknown senders. Then lets the minute pass after which the next
 * mail can be requested.
 */
async function putOff() {
  while ((await deliverDue(api.deps, { transport: { send }, origin: "http://nodebeat.test" })) > 0);
  clock.advance(MINUTE);
}

/** Returns what arrives once the mail server accepts everything. */
async function receive() {
  await mailbox.deliver();
  return mailbox.mails.splice(0);
}

const join = async () =>
  api.read(signUp, { body: { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) } });

test("a resend cancels the queued email with its sign-up's former code, but not another sign-up's", async () => {
  const [{ signupToken: token }] = [await join(), await join()];
  await putOff();
  await api.read(resendVerification, { body: { token } });
  const mails = await receive();
  expect(mails.map(({ subject }) => subject)).toEqual(["Confirm your email", "Confirm your email"]);
  const answers = [];
  for (const { code: verificationCode } of mails)
    answers.push((await api.call(verify, { body: { token, verificationCode } })).status);
  expect(answers).toContain(200);
});

test("a resend cancels the queued email with the former code for an address change", async () => {
  const { token } = await seedMember(api.deps);
  await api.read(requestEmailChange, { token, body: { email, password: TEST_PASSWORD } });
  await putOff();
  await api.read(resendEmailChange, { token });
  const [{ code: verificationCode } = {}, ...others] = await receive();
  expect(others).toEqual([]);
  expect(await api.call(verifyEmailChange, { token, body: { verificationCode } })).toMatchObject({ status: 200 });
});

test("an email with a former code that fails to send after a resend is not retried", async () => {
  const { token } = await seedMember(api.deps);
  await api.read(requestEmailChange, { token, body: { email, password: TEST_PASSWORD } });
  const [begun, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const slow = {
    send() {
      begun.resolve();
      return answer.promise;
    },
  };
  const sending = deliverDue(api.deps, { transport: slow, origin: "http://nodebeat.test" });
  await begun.promise;
  clock.advance(MINUTE);
  await api.read(resendEmailChange, { token });
  answer.reject(new Error("Nothing was said for 20 s"));
  await sending;
  clock.advance(MINUTE);
  expect(await receive()).toHaveLength(1);
});

test("a resend cancels the queued email with its member's former campaign code, but not another member's", async () => {
  const [{ token: member }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  await api.read(sendCampaignEmail, { token: member, body: { email } });
  await api.read(sendCampaignEmail, { token: other.token, body: { email } });
  await putOff();
  const { token } = await api.read(sendCampaignEmail, { token: member, body: { email } });
  const codes = (await receive()).map(({ code }) => code);
  expect(codes).toHaveLength(2);
  const answers = [];
  for (const verificationCode of codes)
    answers.push((await api.call(verifyCampaignEmail, { token: member, body: { token, verificationCode } })).status);
  expect(answers).toContain(200);
});

test("keeping the account cancels the queued email about its deletion", async () => {
  const { token } = await seedMember(api.deps);
  await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
  await putOff();
  await api.read(keepAccount, { token });
  expect((await receive()).map(({ subject }) => subject)).toEqual(["Your account will not be deleted"]);
});

test("a node that is back cancels the queued email about its silence", async () => {
  const { token } = await seedMember(api.deps);
  const beat = () => api.read(sendHeartbeats, { token, body: { beats: [{ timestamp: clock.now().toISOString() }] } });
  const look = async () => {
    await seedHeardMinutes(database.db, clock.now());
    await checkForSilence(api.deps);
  };
  await beat();
  await api.read(setSilenceMail, { token, body: { afterHours: 1, tellsReturn: true } });
  clock.advance(60 * MINUTE);
  await look();
  await putOff();
  await beat();
  clock.advance(5 * MINUTE);
  await look();
  expect((await receive()).map(({ subject }) => subject)).toEqual(["Your node is back"]);
});
