import { afterAll, beforeEach, expect, test } from "vitest";
import { createProviderTest, OTHER_PASSWORD, PASSWORD } from "../../../tests/support/supabase/provider-test.ts";
import { requestDeletion } from "../../account-data/contract.ts";
import { createLog } from "../../log/log.ts";
import * as contract from "../contract.ts";

const lines: string[] = [];
const log = createLog({ level: "error", destination: { write: (line) => void lines.push(line) } });
const scene = await createProviderTest({ log });
const { api, clock, mailbox, supabase } = scene;
const { fillIn, join, newAddress, openRecovery, signIn, signUp } = scene;

beforeEach(() => supabase.refuse());
afterAll(() => scene.close());

const unavailable = { status: 503, body: { error: "UNAVAILABLE" } };

test("an address that Supabase rejects or finds malformed gets a message for its field", async () => {
  for (const code of ["email_address_invalid", "validation_failed"]) {
    supabase.refuse({ call: "POST /signup", status: 400, code });
    expect(await api.call(contract.signUp, await fillIn({ email: newAddress(), password: PASSWORD }))).toMatchObject({
      status: 400,
      body: { error: "VALIDATION_ERROR", fields: { email: ["Enter a valid email."] } },
    });
  }
});

test("every form rejects a new password that is too long for Supabase, with a message for its field", async () => {
  const password = `é${"a long pass phrase ".repeat(4).slice(0, 71)}`;
  const words = "Use at most 72 characters. Accented letters and emoji count as more than one.";
  const tooLong = { status: 400, body: { error: "VALIDATION_ERROR", fields: { password: [words] } } };
  const { token } = await join();
  const body = { currentPassword: PASSWORD, password };
  expect(await api.call(contract.changePassword, { token, body })).toMatchObject(tooLong);
  expect(await api.call(contract.signUp, await fillIn({ email: newAddress(), password }))).toMatchObject(tooLong);
  const { email, reset } = await beginReset();
  expect(await reset(password)).toMatchObject(tooLong);
  expect(await reset(password.slice(1))).toMatchObject({ status: 200 });
  expect(await signIn(email, password.slice(1))).toMatchObject({ status: 200 });
});

test("a sign-up that Supabase calls taken gets the usual response, and only its owner is told", async () => {
  const { email } = await join();
  for (const code of ["user_already_exists", "email_exists"]) {
    supabase.refuse({ call: "POST /signup", status: 422, code });
    const form = await fillIn({ email, password: OTHER_PASSWORD });
    expect(await api.call(contract.signUp, form)).toMatchObject({ status: 200 });
  }
  await mailbox.deliver();
  const told = mailbox.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(told).toEqual(["You already have an account", "You already have an account"]);
});

test("a sign-in that Supabase finds malformed is answered like a wrong password", async () => {
  supabase.refuse({ call: "POST /token", status: 400, code: "validation_failed" });
  expect(await signIn(newAddress())).toMatchObject({ status: 401, body: { error: "INVALID_CREDENTIALS" } });
});

test("a sign-in that Supabase rate limits says when to try again", async () => {
  const { email } = await join();
  supabase.refuse({ call: "POST /token", status: 429, code: "over_request_rate_limit" });
  const answer = await signIn(email);
  expect(answer).toMatchObject({
    status: 429,
    body: { error: "TOO_MANY_ATTEMPTS", message: "Too many attempts. Please try again in a minute." },
  });
  expect(answer.headers.get("Retry-After")).toBe("60");
});

test("a sign-in that fails at Supabase responds 503, and the log says why", async () => {
  const { email } = await join();
  lines.length = 0;
  supabase.refuse({ call: "POST /token", status: 500, code: "unexpected_failure" });
  const answer = await signIn(email);
  expect(answer).toMatchObject(unavailable);
  expect(answer.headers.get("Retry-After")).toBe("5");
  const told = lines.map((line): unknown => JSON.parse(line));
  expect(told).toMatchObject([{ msg: "Supabase does not work", err: { status: 500 } }]);
});

test.for([
  ["a sign-in with a wrong password", contract.login, { password: "not the password" }],
  ["a sign-up", contract.signUp, { password: PASSWORD }],
  ["a forgotten password", contract.forgotPassword, {}],
] as const)("%s is not answered before the fixed response time", async ([, endpoint, input]) => {
  const { email } = await join();
  let isOver = false;
  const timed = scene.withTime(async (work) => {
    await Promise.allSettled([work]);
    // Takes longer than a response that did not wait.
    for (let turn = 0; turn < 20; turn++) await scene.database.pool.query("select 1");
    isOver = true;
  });
  await timed.call(endpoint, await fillIn({ email, ...input }));
  expect(isOver).toBe(true);
});

test("a slow Supabase delays no response past the fixed time, and its late refusal is logged", async () => {
  lines.length = 0;
  const refusal = supabase.hold("POST /signup");
  const timed = scene.withTime(() => refusal.done);
  const form = await fillIn({ email: newAddress(), password: "CAPITALS ALONE" });
  expect(await timed.call(contract.signUp, form)).toMatchObject({ status: 200 });
  refusal.release();
  await expect
    .poll(() => lines.map((line): unknown => JSON.parse(line)))
    .toMatchObject([{ msg: "Supabase refused a call whose form was answered already" }]);
});

test("a right password uses up no attempt, and after ten wrong ones sign-in is rate limited", async () => {
  const { email } = await join();
  const tokens: string[] = [];
  for (let index = 0; index < 22; index++) tokens.push((await api.read(contract.issueBotCheck)).turnstileToken);
  clock.advance(1000);
  const statuses: number[] = [];
  for (const [index, turnstileToken] of tokens.entries()) {
    const password = index < 11 ? PASSWORD : "not the password";
    statuses.push((await api.call(contract.login, { body: { email, password, turnstileToken } })).status);
  }
  expect(statuses).toEqual([...Array<number>(11).fill(200), ...Array<number>(10).fill(401), 429]);
});

test("guesses at the current password are rate limited", async () => {
  const { token } = await join();
  const change = async (currentPassword: string) => {
    const body = { currentPassword, password: OTHER_PASSWORD };
    return (await api.call(contract.changePassword, { token, body })).status;
  };
  const statuses: number[] = [];
  for (let index = 0; index < 10; index++) statuses.push(await change(`guess ${index}`));
  expect([...statuses, await change(PASSWORD)]).toEqual([...Array<number>(10).fill(400), 429]);
});

async function beginReset() {
  const { email, token: session } = await join();
  const token = await openRecovery(email);
  const reset = (password = OTHER_PASSWORD) => api.call(contract.resetPassword, { body: { token, password } });
  return { email, session, reset };
}

test("a recovery expires after 15 minutes", async () => {
  const { reset } = await beginReset();
  clock.advance(15 * 60_000 - 1);
  expect(await reset("password")).toMatchObject({ status: 400 });
  clock.advance(1);
  expect(await reset()).toMatchObject({ status: 410, body: { error: "EXPIRED" } });
});

test.for([
  [400, "validation_failed"],
  [500, "unexpected_failure"],
] as const)("a reset that fails at Supabase with %i changes nothing and can be retried", async ([status, code]) => {
  const { email, reset } = await beginReset();
  supabase.refuse({ call: "PUT /user", status, code });
  expect(await reset()).toMatchObject(unavailable);
  supabase.refuse();
  expect(await signIn(email)).toMatchObject({ status: 200 });
  expect(await reset()).toMatchObject({ status: 200 });
  expect(await signIn(email, OTHER_PASSWORD)).toMatchObject({ status: 200 });
});

test("a recovery accepts another password after Supabase rejected the first", async () => {
  const { reset } = await beginReset();
  expect(await reset("CAPITALS ALONE")).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR" } });
  expect(await reset()).toMatchObject({ status: 200 });
});

test("a recovery that ends while Supabase is rejecting its password stays ended", async () => {
  const { session: token, reset } = await beginReset();
  const refusal = supabase.hold("PUT /user");
  const resetting = reset("CAPITALS ALONE");
  await refusal.done;
  clock.advance(1000);
  await api.read(requestDeletion, { token, body: { password: PASSWORD, understood: true } });
  refusal.release();
  expect(await resetting).toMatchObject({ status: 400 });
  expect(await reset()).toMatchObject({ status: 410, body: { error: "ALREADY_USED" } });
});

test("a reset that times out at Supabase cannot be retried, because it may still take effect", async () => {
  const { email, reset } = await beginReset();
  supabase.refuse({ call: "PUT /user", status: 504, code: "request_timeout" });
  expect(await reset()).toMatchObject(unavailable);
  supabase.refuse();
  expect(await reset("another one again")).toMatchObject({ status: 410, body: { error: "ALREADY_USED" } });
  expect(await signIn(email, "another one again")).toMatchObject({ status: 401 });
});

test("a reset responds that it has expired if Supabase has ended its session", async () => {
  const { reset } = await beginReset();
  supabase.refuse({ call: "GET /user", status: 403, code: "session_not_found" });
  expect(await reset()).toMatchObject({ status: 410, body: { error: "EXPIRED" } });
});

test("verify and resend requests pass the right type to Supabase", async () => {
  supabase.takeKinds();
  const { email, signupToken } = await signUp();
  await api.call(contract.verify, { body: { token: signupToken, verificationCode: "000000" } });
  clock.advance(60_000);
  await api.call(contract.resendVerification, { body: { token: signupToken } });
  const { tokenHash } = await supabase.mailTo(email, 2);
  await api.call(contract.verify, { body: { token: tokenHash } });
  expect(supabase.takeKinds()).toEqual(["verify signup", "resend signup", "verify signup"]);
});

test("a code requested again too early is refused without a call to Supabase", async () => {
  const { signupToken: token } = await signUp();
  supabase.takeRequests();
  const resend = () => api.call(contract.resendVerification, { body: { token } });
  expect(await resend()).toMatchObject({ status: 429, body: { error: "TOO_MANY_ATTEMPTS" } });
  expect(supabase.takeRequests()).toEqual([]);
});

test("a link requested again too early is refused without a call to Supabase", async () => {
  const { email } = await join();
  const token = await scene.requestReset(email);
  supabase.takeRequests();
  expect(await api.call(contract.resendPasswordReset, { body: { token } })).toMatchObject({ status: 429 });
  expect(supabase.takeRequests()).toEqual([]);
});
