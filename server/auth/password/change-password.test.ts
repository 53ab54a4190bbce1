import { expect, test } from "vitest";
import { createTestApi, fillForm, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { tokenOf } from "../../../tests/support/api/mailbox.ts";
import { createTakenHasher } from "../../../tests/support/api/taken-hasher.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { requestDeletion } from "../../account-data/contract.ts";
import { rateLimits } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { requestEmailChange, verifyEmailChange } from "../../email-change/contract.ts";
import { readUser } from "../../profile/contract.ts";
import { endSessions, startSession } from "../../sessions/service.ts";
import { changePassword, forgotPassword, login, openRecovery, resendPasswordReset } from "../contract.ts";

const { api, clock, database, mailbox } = await openTestApi();
const email = "ada@nodebeat.test";
const password = "a new pass phrase";

const change = (token: string, input: object = {}) =>
  api.call(changePassword, { token, body: { currentPassword: TEST_PASSWORD, password, ...input } });
const signIn = async (given: string) =>
  (await api.call(login, { body: { email, password: given, turnstileToken: await fillForm(api, clock) } })).status;

test("a new password replaces the current one, ends every other session and mails a notice", async () => {
  const { token, user } = await seedMember(api.deps, { email });
  const { token: other } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });

  expect(await change(token)).toMatchObject({
    status: 200,
    body: { success: true, message: "Your password has been changed. You have been signed out on all other devices." },
  });

  expect([await signIn(TEST_PASSWORD), await signIn(password)]).toEqual([401, 200]);
  expect(await api.call(readUser, { token })).toMatchObject({ status: 200 });
  expect(await api.call(readUser, { token: other })).toMatchObject({ status: 401 });
  await mailbox.deliver();
  const notice = mailbox.mails.find(({ subject }) => subject === "Your password was changed");
  expect(notice?.text).toContain("You were signed out on all other devices.");
});

test("a reset link requested before a password change stops working", async () => {
  const { token } = await seedMember(api.deps, { email });
  await api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  const link = tokenOf(await mailbox.read(email));
  await change(token);
  expect(await api.call(openRecovery, { body: { token: link } })).toMatchObject({ status: 410 });
});

test("a resend after the link was opened, or the password changed, says that the link was used", async () => {
  const { token } = await seedMember(api.deps, { email });
  const forget = async () => api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  const opened = await forget();
  await api.read(openRecovery, { body: { token: tokenOf(await mailbox.read(email)) } });
  const ended = await forget();
  const mailAgain = async ({ resetToken }: { resetToken: string }) => {
    clock.advance(60_000);
    await api.read(resendPasswordReset, { body: { token: resetToken } });
    return (await mailbox.read(email)).subject;
  };
  expect(await mailAgain(opened)).toBe("Your link has already been used");
  expect(await mailAgain(ended)).toBe("Choose a new password");
  await change(token);
  await mailbox.deliver();
  clock.advance(60_000);
  expect(await mailAgain(ended)).toBe("Your link has already been used");
});

test("the notice goes to the member's new address if it changes during the password change", async () => {
  const { token } = await seedMember(api.deps, { email });
  const next = "ada@elsewhere.test";
  await api.read(requestEmailChange, { token, body: { email: next, password: TEST_PASSWORD } });
  const { code: verificationCode } = await mailbox.read(next);
  const { passwords } = api.deps;
  const hash: typeof passwords.hash = async (given) => {
    await api.read(verifyEmailChange, { token, body: { verificationCode } });
    return passwords.hash(given);
  };
  const slow = createTestApi(database, { now: clock.now, passwords: { ...passwords, hash } });
  await slow.read(changePassword, { token, body: { currentPassword: TEST_PASSWORD, password } });
  await mailbox.deliver();
  const notices = mailbox.mails.filter(({ subject }) => subject === "Your password was changed");
  expect(notices.map(({ to }) => to)).toEqual([next]);
});

test.for<[string, object, string, string]>([
  ["a wrong current password", { currentPassword: "wrong" }, "currentPassword", "That is not your current password."],
  [
    "one that is too long",
    { currentPassword: "x".repeat(1025) },
    "currentPassword",
    "That is not your current password.",
  ],
  ["no current password", { currentPassword: "" }, "currentPassword", "Enter your current password."],
  ["a short password", { password: "1234567" }, "password", "Use at least 8 characters."],
  ["four characters of eight code units", { password: "🐢🐢🐢🐢" }, "password", "Use at least 8 characters."],
  ["a common password", { password: "qwertyuiop" }, "password", "That password is too easy to guess. Choose another."],
  ["their own address", { password: email }, "password", "That password is too easy to guess. Choose another."],
])("rejects %s with a message for its field, and changes nothing", async ([, input, field, message]) => {
  const { token, user } = await seedMember(api.deps, { email });
  const { token: other } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });

  expect(await change(token, input)).toMatchObject({ status: 400, body: { fields: { [field]: [message] } } });

  expect(await signIn(TEST_PASSWORD)).toBe(200);
  expect(await api.call(readUser, { token: other })).toMatchObject({ status: 200 });
});

test("a session that ends while the new password is being hashed changes nothing", async () => {
  const { token, user } = await seedMember(api.deps, { email });
  const { passwords } = api.deps;
  const hash: typeof passwords.hash = async (given) => {
    await inTransaction(database.db, (tx) => endSessions({ ...api.deps, db: tx }, { userId: user.id }));
    return passwords.hash(given);
  };
  const slow = createTestApi(database, { now: clock.now, passwords: { ...passwords, hash } });
  const answer = await slow.call(changePassword, { token, body: { currentPassword: TEST_PASSWORD, password } });
  expect(answer.status).toBe(401);
  expect([await signIn(TEST_PASSWORD), await signIn(password)]).toEqual([200, 401]);
});

test("only one of two concurrent changes succeeds", async () => {
  const { token } = await seedMember(api.deps, { email });
  const passwords = ["the first pass phrase", "the second pass phrase"];
  const answers = await Promise.all(passwords.map((each) => change(token, { password: each })));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
  const won = answers.findIndex(({ status }) => status === 200);
  expect([await signIn(passwords[won] ?? ""), await signIn(passwords[1 - won] ?? "")]).toEqual([200, 401]);
});

test("guesses at the current password are rate limited per account", async () => {
  const { token } = await seedMember(api.deps, { email });
  const stranger = await seedMember(api.deps);
  for (let attempt = 0; attempt < 10; attempt++) {
    expect(await change(token, { currentPassword: `guess ${attempt}` })).toMatchObject({ status: 400 });
  }
  const answer = await change(token);
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "90"]);
  expect(await change(stranger.token)).toMatchObject({ status: 200 });
  clock.advance(90_000);
  expect(await change(token)).toMatchObject({ status: 200 });
});

test.for([
  ["a new password", changePassword, { currentPassword: TEST_PASSWORD, password }],
  ["another address", requestEmailChange, { email: "ada@elsewhere.test", password: TEST_PASSWORD }],
  ["the deletion", requestDeletion, { understood: true, password: TEST_PASSWORD }],
] as const)(
  "a request for %s responds 503 while the hasher is full, and uses up no attempt",
  async ([, endpoint, body]) => {
    const { token } = await seedMember(api.deps, { email });
    const { passwords, whenFree } = createTakenHasher();
    const busy = createTestApi(database, { now: clock.now, passwords });
    const refused = await busy.call(endpoint, { token, body });
    await whenFree();
    expect(refused).toMatchObject({ status: 503, body: { error: "UNAVAILABLE" } });
    expect(await database.db.$count(rateLimits)).toBe(0);
  },
);
