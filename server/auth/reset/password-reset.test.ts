import { and, eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { createTestApi, fillForm, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { tokenOf } from "../../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { passwordResets, sessions } from "../../db/schema.ts";
import { pruneExpired } from "../../boot/housekeeping.ts";
import { readUser } from "../../profile/contract.ts";
import { forgotPassword, login, openRecovery, resendPasswordReset, resetPassword, verify } from "../contract.ts";
import { startSession } from "../../sessions/service.ts";
import { createCredential } from "../../secrets/credential.ts";

const MINUTE = 60 * 1000;
const { api, clock, database, mailbox } = await openTestApi();
const email = "ada@nodebeat.test";
const password = "a new pass phrase";

const forget = async (input: object = {}) =>
  api.call(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock), ...input } });
const resetTokenOf = ({ body }: { body: unknown }) => (body as { resetToken: string }).resetToken;
const open = (token: string) => api.call(openRecovery, { body: { token } });
const reset = (token: string, input: object = {}) => api.call(resetPassword, { body: { token, password, ...input } });
const resend = (token: string) => api.call(resendPasswordReset, { body: { token } });
const signIn = async (given: string, { call } = api) =>
  call(login, { body: { email, password: given, turnstileToken: await fillForm(api, clock) } });

/** Asks for a link, and returns the token of the one in the mailbox. */
async function receiveLink() {
  await forget();
  return tokenOf(await mailbox.read(email));
}

const startRecovery = async () =>
  (await api.read(openRecovery, { body: { token: await receiveLink() } })).recoveryToken;

const gone = (error: "EXPIRED" | "ALREADY_USED") => ({ status: 410, body: { error } });

test("a mailed link opens a recovery, in which a new password replaces the old one", async () => {
  const member = await seedMember(api.deps, { email });
  const answer = await forget({ email: " ADA@nodebeat.test " });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      resetToken: expect.stringMatching(/^nbr_[\w-]{43}$/),
      resend: { state: "INITIAL", timestamp: clock.now().getTime(), duration: 60_000 },
    },
  });
  const mail = await mailbox.read(email);
  expect(mail.link).toMatch(/^http:\/\/nodebeat\.test\/auth\/reset-password\?token=nbl_[\w-]{43}$/);

  const { recoveryToken } = await api.read(openRecovery, { body: { token: tokenOf(mail) } });
  expect(await reset(recoveryToken)).toMatchObject({
    status: 200,
    body: { success: true, message: "Your password has been changed. Sign in with the new one." },
  });

  expect(await signIn(TEST_PASSWORD)).toMatchObject({ status: 401 });
  expect(await signIn(password)).toMatchObject({ status: 200, body: { user: { id: member.user.id } } });
});

test("a new password ends every session and mails a notice", async () => {
  const ada = await seedMember(api.deps, { email });
  const bob = await seedMember(api.deps);
  const other = await startSession(api.deps, { userId: ada.user.id, client: NO_CLIENT });

  await reset(await startRecovery());

  for (const { token } of [ada, other]) expect(await api.call(readUser, { token })).toMatchObject({ status: 401 });
  expect(await api.call(readUser, { token: bob.token })).toMatchObject({ status: 200 });
  const { subject, text } = await mailbox.read(email);
  expect([subject, text]).toEqual([
    "Your password was changed",
    expect.stringContaining("20 November 2026, 12:00 UTC"),
  ]);
});

test("a sign-in with the old password that is in progress during a reset leaves no session", async () => {
  const { user } = await seedMember(api.deps, { email });
  const recovery = await startRecovery();
  const { passwords } = api.deps;
  const slow = createTestApi(database, {
    now: clock.now,
    passwords: {
      ...passwords,
      async verify(hash, given) {
        const isRight = await passwords.verify(hash, given);
        await reset(recovery);
        return isRight;
      },
    },
  });

  expect(await signIn(TEST_PASSWORD, slow)).toMatchObject({ status: 401, body: { error: "INVALID_CREDENTIALS" } });
  expect(await database.db.$count(sessions, and(eq(sessions.userId, user.id), isNull(sessions.revokedAt)))).toBe(0);
});

test("responds the same for an address without an account, and tells only the mailbox's reader", async () => {
  await seedMember(api.deps, { email });
  const known = await forget();
  const unknown = await forget({ email: "nobody@nodebeat.test" });

  expect([known.status, unknown.status]).toEqual([200, 200]);
  expect(withoutSecrets(known.body)).toEqual(withoutSecrets(unknown.body));
  const mail = await mailbox.read("nobody@nodebeat.test");
  expect(mail.subject).toBe("There is no account with this address");
  expect(mail.link).toBe("http://nodebeat.test/auth/signup");
});

test("resends also respond the same without an account, even after the link was used", async () => {
  await seedMember(api.deps, { email });
  const [known, unknown] = [await forget(), await forget({ email: "nobody@nodebeat.test" })];
  const { recoveryToken } = await api.read(openRecovery, { body: { token: tokenOf(await mailbox.read(email)) } });
  await reset(recoveryToken);

  const resendBoth = async () => [await resend(resetTokenOf(known)), await resend(resetTokenOf(unknown))];
  const early = await resendBoth();
  clock.advance(61_000);
  const answers = [...early, ...(await resendBoth())];

  expect(answers.map(({ status }) => status)).toEqual([429, 429, 200, 200]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  expect(answers[2]?.body).toEqual(answers[3]?.body);
  expect((await mailbox.read(email)).subject).toBe("Your link has already been used");
  expect((await mailbox.read("nobody@nodebeat.test")).subject).toBe("There is no account with this address");
});

// specification: 3.17, 4.6
test("each resend mails the same link after a growing wait", async () => {
  await seedMember(api.deps, { email });
  const token = resetTokenOf(await forget());
  const links = [tokenOf(await mailbox.read(email))];
  const steps = [];
  for (const wait of [60, 120, 300, 3000]) {
    clock.advance(wait * 1000 - 1000);
    const early = await resend(token);
    steps.push([early.status, early.headers.get("Retry-After")]);
    clock.advance(1000);
    const { status, body } = await resend(token);
    steps.push([status, (body as { resend?: { state: string } }).resend?.state]);
    links.push(tokenOf(await mailbox.read(email)));
  }
  // The last step lasts an hour, as long as the whole request.
  expect(steps).toEqual([
    [429, "1"],
    [200, "FIRST_RESEND"],
    [429, "1"],
    [200, "SECOND_RESEND"],
    [429, "1"],
    [200, "MAX_ATTEMPTS"],
    [429, "601"],
    [429, undefined],
  ]);
  expect(new Set(links).size).toBe(1);
});

test("a link opens only one recovery, even if it is opened many times concurrently", async () => {
  await seedMember(api.deps, { email });
  const link = await receiveLink();

  const answers = await Promise.all(Array.from({ length: 5 }, () => open(link)));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.find(({ status }) => status === 410)).toMatchObject({
    body: { error: "ALREADY_USED", message: "This link has already been used. Please ask for a new one." },
  });
});

test("a recovery sets only one password, even if it is used many times concurrently", async () => {
  await seedMember(api.deps, { email });
  const recovery = await startRecovery();

  const answers = await Promise.all(Array.from({ length: 5 }, () => reset(recovery)));

  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 410, 410, 410, 410]);
  await mailbox.deliver();
  expect(mailbox.mails.filter(({ subject }) => subject === "Your password was changed")).toHaveLength(1);
});

test("a password reset ends all other links and recoveries", async () => {
  await seedMember(api.deps, { email });
  const [link, recovery, other] = [await receiveLink(), await startRecovery(), await startRecovery()];

  const answers = await Promise.all([reset(recovery), reset(other, { password: "another pass phrase" })]);

  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 410]);
  expect(await open(link)).toMatchObject(gone("ALREADY_USED"));
});

test("a link expires after an hour, and its recovery 15 minutes after it was opened", async () => {
  await seedMember(api.deps, { email });
  const [link, late] = [await receiveLink(), await receiveLink()];
  clock.advance(60 * MINUTE - 301);
  const { recoveryToken } = await api.read(openRecovery, { body: { token: link } });
  clock.advance(301);
  const message = "This link has expired. Please ask for a new one.";
  expect(await open(late)).toMatchObject({ status: 410, body: { error: "EXPIRED", message } });
  expect(await pruneExpired(api.deps)).toMatchObject({ passwordResets: 0 });

  clock.advance(15 * MINUTE - 302);
  expect(await reset(recoveryToken, { password: "password" })).toMatchObject({ status: 400 });
  clock.advance(1);
  expect(await reset(recoveryToken)).toMatchObject({
    status: 410,
    body: { message: "Your time to choose a password has run out. Please ask for a new one." },
  });
  clock.advance(302);
  expect(await pruneExpired(api.deps)).toMatchObject({ passwordResets: 2 });
});

test("a resend after an hour responds that the request has expired", async () => {
  await seedMember(api.deps, { email });
  const answers = [await forget(), await forget({ email: "nobody@nodebeat.test" })];
  clock.advance(60 * MINUTE);
  for (const answer of answers) expect(await resend(resetTokenOf(answer))).toMatchObject(gone("EXPIRED"));
  expect(await resend("x")).toMatchObject(gone("EXPIRED"));
});

test.for<[string, object, object]>([
  ["a short password", { password: "1234567" }, { password: ["Use at least 8 characters."] }],
  [
    "a common password",
    { password: "qwertyuiop" },
    { password: ["That password is too easy to guess. Choose another."] },
  ],
  ["their own address", { password: email }, { password: ["That password is too easy to guess. Choose another."] }],
])("rejects %s, and the same recovery can try another password", async ([, input, fields]) => {
  await seedMember(api.deps, { email });
  const recovery = await startRecovery();
  expect(await reset(recovery, input)).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR", fields } });
  expect(await reset(recovery)).toMatchObject({ status: 200 });
  const message =
    "This request is over. If you have just chosen a new password, sign in with it. If not, ask for a new link.";
  expect(await reset(recovery)).toMatchObject({ status: 410, body: { error: "ALREADY_USED", message } });
});

test("no other token opens a recovery or sets a password, and a recovery opens nothing else", async () => {
  const { token: session } = await seedMember(api.deps, { email });
  const asked = await forget();
  const link = tokenOf(await mailbox.read(email));
  for (const token of [resetTokenOf(asked), session, createCredential("resetLink").token, "x"]) {
    expect(await open(token)).toMatchObject(gone("EXPIRED"));
  }
  for (const token of [resetTokenOf(asked), link, session, createCredential("recovery").token]) {
    expect(await reset(token)).toMatchObject(gone("EXPIRED"));
  }
  const { recoveryToken } = await api.read(openRecovery, { body: { token: link } });
  expect(await api.call(readUser, { token: recoveryToken })).toMatchObject({ status: 401 });
  expect(await api.call(verify, { body: { token: recoveryToken, verificationCode: "123456" } })).toMatchObject(
    gone("EXPIRED"),
  );
});

test("a request for an address without an account is stored, but no link opens a recovery for it", async () => {
  await forget({ email: "nobody@nodebeat.test" });
  const [row] = await database.db.select({ id: passwordResets.id, userId: passwordResets.userId }).from(passwordResets);
  expect(row?.userId).toBeNull();
  expect(await open(api.deps.mailed.createLink("resetLink", row?.id ?? "").token)).toMatchObject(gone("ALREADY_USED"));
});

test.for<[string, object, number]>([
  ["no address", { email: "ada" }, 400],
  ["no bot check", { turnstileToken: undefined }, 400],
  ["a forged bot check", { turnstileToken: "x" }, 422],
])("refuses %s", async ([, input, status]) => {
  expect(await forget(input)).toMatchObject({ status });
  expect(await database.db.$count(passwordResets)).toBe(0);
});

function withoutSecrets(body: unknown) {
  const { resend, resetToken } = body as { resetToken: string; resend: { timestamp: number } };
  return { ...(body as object), resetToken: resetToken.length, resend: { ...resend, timestamp: 0 } };
}
