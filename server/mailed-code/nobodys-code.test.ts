import { expect, test } from "vitest";
import { fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { wrongCode } from "../../tests/support/api/wrong-code.ts";
import { forgotPassword, resendVerification, signUp } from "../auth/contract.ts";
import { sendCampaignEmail } from "../campaign-mail/contract.ts";
import { requestEmailChange, resendEmailChange, verifyEmailChange } from "../email-change/contract.ts";
import { NOBODYS_CODE } from "./verification-code.ts";

const { api, clock, database, mailbox } = await openTestApi();
const email = "somebody@elsewhere.test";

test("requests past an address's email limit create no code that could be guessed", async () => {
  const asked: number[] = [];
  for (let index = 0; index < 4; index++) {
    const { token } = await seedMember(api.deps);
    await api.read(requestEmailChange, { token, body: { email, password: TEST_PASSWORD } });
    await api.read(sendCampaignEmail, { token, body: { email } });
    const turnstileToken = await fillForm(api, clock);
    await api.read(signUp, { body: { email, password: TEST_PASSWORD, turnstileToken } });
    asked.push(await countCodes());
  }
  expect(asked).toEqual([3, 5, 5, 5]);
});

/** Counts the codes that were mailed to somebody. */
async function countCodes() {
  const { rows } = await database.pool.query<{ id: string; code_hash: Buffer }>(
    `select id, code_hash from email_changes union all select id, code_hash from campaign_emails
     union all select id, code_hash from sign_ups`,
  );
  return rows.filter(({ id, code_hash }) => !api.deps.mailed.isCode(id, NOBODYS_CODE, code_hash)).length;
}

test("a request for an address that has an account creates no code that could be guessed", async () => {
  const [{ user: owner }, { token }] = [await seedMember(api.deps), await seedMember(api.deps)];
  await api.read(requestEmailChange, { token, body: { email: owner.email, password: TEST_PASSWORD } });
  const turnstileToken = await fillForm(api, clock);
  const form = { email: owner.email, password: TEST_PASSWORD, turnstileToken };
  const { signupToken } = await api.read(signUp, { body: form });
  expect(await countCodes()).toBe(0);
  clock.advance(60_000);
  await api.read(resendVerification, { body: { token: signupToken } });
  expect(await countCodes()).toBe(0);
});

test("a resend that sends no email gives a used-up code no new attempts", async () => {
  const { token } = await seedMember(api.deps);
  const verify = (verificationCode: string) => api.call(verifyEmailChange, { token, body: { verificationCode } });
  await api.read(requestEmailChange, { token, body: { email, password: TEST_PASSWORD } });
  const { code = "" } = await mailbox.read(email);
  for (let index = 0; index < 4; index++)
    await api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  for (let index = 0; index < 5; index++) await verify(wrongCode(code));
  clock.advance(60_000);
  expect(await api.call(resendEmailChange, { token })).toMatchObject({ status: 200 });
  expect(await verify(code)).toMatchObject({ status: 400 });
});
