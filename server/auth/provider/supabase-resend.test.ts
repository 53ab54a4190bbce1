import { afterAll, beforeEach, expect, test } from "vitest";
import { createProviderTest } from "../../../tests/support/supabase/provider-test.ts";
import { wrongCode } from "../../../tests/support/api/wrong-code.ts";
import * as contract from "../contract.ts";

const MINUTE = 60_000;
const scene = await createProviderTest();
const { api, clock, supabase } = scene;
const { requestReset, join, signUp } = scene;

beforeEach(() => supabase.breakDown(false));
afterAll(() => scene.close());

type Resend = typeof contract.resendVerification | typeof contract.resendPasswordReset;

/** Asks for another email several times at once. Returns the statuses in order, and what Supabase was asked for. */
async function resendAtOnce(endpoint: Resend, token: string) {
  clock.advance(MINUTE);
  supabase.takeRequests();
  const answers = await Promise.all(Array.from({ length: 3 }, () => api.call(endpoint, { body: { token } })));
  return { statuses: answers.map(({ status }) => status).toSorted((a, b) => a - b), asked: supabase.takeRequests() };
}

test("only one of many concurrent resends reaches Supabase, and the code that it mails works", async () => {
  const { email, signupToken: token } = await signUp();
  const { statuses, asked } = await resendAtOnce(contract.resendVerification, token);
  expect([statuses, asked]).toEqual([[200, 429, 429], ["POST /resend"]]);
  const { code } = await supabase.mailTo(email, 2);
  expect(await api.call(contract.verify, { body: { token, verificationCode: code } })).toMatchObject({ status: 200 });
});

test("only one of many concurrent resends of a reset link reaches Supabase", async () => {
  const { email } = await join();
  const { statuses, asked } = await resendAtOnce(contract.resendPasswordReset, await requestReset(email));
  expect([statuses, asked]).toEqual([[200, 429, 429], ["POST /recover"]]);
});

const unavailable = { status: 503, body: { error: "UNAVAILABLE" } };
const withLeft = (left: number) => ({ body: { message: `That code is not right. ${left} attempts left.` } });

test("a resend that fails at Supabase neither advances the resend ladder nor gives new attempts", async () => {
  const { signupToken: token, mail } = await signUp();
  const verificationCode = wrongCode(mail.code);
  const guess = () => api.call(contract.verify, { body: { token, verificationCode } });
  expect(await guess()).toMatchObject(withLeft(4));
  clock.advance(MINUTE);
  supabase.breakDown();
  expect(await api.call(contract.resendVerification, { body: { token } })).toMatchObject(unavailable);
  supabase.breakDown(false);
  expect(await guess()).toMatchObject(withLeft(3));
  const { resend } = await api.read(contract.resendVerification, { body: { token } });
  expect(resend.state).toBe("FIRST_RESEND");
});

test("a resend of a reset link that fails at Supabase does not advance the resend ladder", async () => {
  const { email } = await join();
  const token = await requestReset(email);
  clock.advance(MINUTE);
  supabase.breakDown();
  expect(await api.call(contract.resendPasswordReset, { body: { token } })).toMatchObject(unavailable);
  supabase.breakDown(false);
  const { resend } = await api.read(contract.resendPasswordReset, { body: { token } });
  expect(resend.state).toBe("FIRST_RESEND");
});
