import { afterAll, expect, test } from "vitest";
import { seedMember } from "../../../tests/support/api/api.ts";
import { dumpDatabase, listEncodings } from "../../../tests/support/database/dump-database.ts";
import { eraseDueAccounts } from "../../../tests/support/api/jobs.ts";
import { createProviderTest, OTHER_PASSWORD, PASSWORD } from "../../../tests/support/supabase/provider-test.ts";
import { wrongCode } from "../../../tests/support/api/wrong-code.ts";
import { DELETION_GRACE_SECONDS, requestDeletion } from "../../account-data/contract.ts";
import { readStats } from "../../points/contract.ts";
import { readUser } from "../../profile/contract.ts";
import { logout, readSessions, revokeOtherSessions, revokeSession } from "../../sessions/contract.ts";
import * as contract from "../contract.ts";
import { openAuthProvider } from "./open.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const scene = await createProviderTest();
const { api, clock, database, mailbox, supabase } = scene;
const { fillIn, join, signUp, signIn, signedIn, isSignedIn, requestReset, openRecovery } = scene;
afterAll(() => scene.close());

test("a sign-up becomes a member with Supabase's code and receives the invitation's points", async () => {
  const { user: friend } = await seedMember(api.deps);
  const { email, signupToken: token, mail } = await signUp(undefined, { referralCode: friend.personal_code ?? "" });
  const verificationCode = wrongCode(mail.code);
  expect(await api.call(contract.verify, { body: { token, verificationCode } })).toMatchObject({
    status: 400,
    body: { fields: { verificationCode: ["That code is not right. 4 attempts left."] } },
  });

  const { accessToken, user } = await api.read(contract.verify, { body: { token, verificationCode: mail.code } });
  expect(user.email).toBe(email);
  expect(await api.read(readStats, { token: accessToken })).toMatchObject({ points_total: 1000 });
  expect(await api.call(contract.verify, { body: { token, verificationCode: mail.code } })).toMatchObject({
    status: 410,
    body: { error: "ALREADY_USED" },
  });
  expect(await signIn(email)).toMatchObject({ status: 200, body: { user: { id: user.id } } });
});

test("the link in Supabase's email also verifies, once, and keeps the invitation", async () => {
  const { user: friend } = await seedMember(api.deps);
  const { mail } = await signUp(undefined, { referralCode: friend.personal_code ?? "" });
  const { accessToken } = await api.read(contract.verify, { body: { token: mail.tokenHash } });
  expect(await api.read(readStats, { token: accessToken })).toMatchObject({ points_total: 1000 });
  expect(await api.call(contract.verify, { body: { token: mail.tokenHash } })).toMatchObject({
    status: 410,
    body: { error: "EXPIRED" },
  });
});

const withLeft = (left: number) => ({
  fields: { verificationCode: [`That code is not right. ${left} attempts left.`] },
});

test("a resend mails a new code with new attempts, and that code verifies", async () => {
  const { email, signupToken: token, mail } = await signUp();
  const guess = (code: string) => api.call(contract.verify, { body: { token, verificationCode: wrongCode(code) } });
  for (const left of [4, 3]) expect(await guess(mail.code)).toMatchObject({ status: 400, body: withLeft(left) });
  expect(await api.call(contract.resendVerification, { body: { token } })).toMatchObject({ status: 429 });
  clock.advance(MINUTE);
  const { resend } = await api.read(contract.resendVerification, { body: { token } });
  expect(resend).toMatchObject({ state: "FIRST_RESEND", duration: 120_000 });
  const renewed = await supabase.mailTo(email, 2);
  expect(renewed).not.toEqual(mail);
  expect(await guess(renewed.code)).toMatchObject({ status: 400, body: withLeft(4) });
  const verified = await api.call(contract.verify, { body: { token, verificationCode: renewed.code } });
  expect(verified.status).toBe(200);
});

test("one of many concurrent calls renews a session whose Supabase token is due, and says so", async () => {
  const { token } = await join();
  supabase.takeRequests();
  // Half a minute before its end, so that it does not expire on the way.
  clock.advance(HOUR - MINUTE / 2 - 1);
  expect([await isSignedIn(token), supabase.takeRequests()]).toEqual([true, []]);
  clock.advance(1);
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.call(readUser, { token })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.some(({ headers }) => headers.get("x-auth-event") === "TOKEN_REFRESHED")).toBe(true);
  expect(supabase.takeRequests()).toEqual(["POST /token"]);
  clock.advance(HOUR);
  expect(await isSignedIn(token)).toBe(true);
  expect(supabase.takeRequests()).toEqual(["POST /token"]);
});

test("a session that Supabase has ended ends here", async () => {
  const { token } = await join();
  supabase.endEverySession();
  clock.advance(HOUR);
  expect(await isSignedIn(token)).toBe(false);
  expect(await isSignedIn(token)).toBe(false);
});

test("log-out and revocation end the session at Supabase too", async () => {
  const { email, token } = await join();
  const others = [await signedIn(email), await signedIn(email)];
  const before = supabase.sessions.size;
  const { sessions } = await api.read(readSessions, { token });
  const id = sessions.find(({ current }) => !current)?.id ?? "";
  await api.read(revokeSession, { token, params: { id } });
  await expect.poll(() => supabase.sessions.size).toBe(before - 1);
  await api.read(revokeOtherSessions, { token });
  await expect.poll(() => supabase.sessions.size).toBe(before - 2);
  await api.read(logout, { token });
  await expect.poll(() => supabase.sessions.size).toBe(before - 3);
  expect(await Promise.all([token, ...others].map(isSignedIn))).toEqual([false, false, false]);
});

test("a reset replaces the password at Supabase and ends the member's sessions", async () => {
  const { email, token } = await join();
  const recoveryToken = await openRecovery(email);
  const body = { token: recoveryToken, password: OTHER_PASSWORD };
  expect(await api.read(contract.resetPassword, { body })).toMatchObject({ success: true });
  expect(await isSignedIn(token)).toBe(false);
  expect(await api.call(contract.resetPassword, { body })).toMatchObject({
    status: 410,
    body: { error: "ALREADY_USED" },
  });
  expect(await mailbox.read(email)).toMatchObject({ subject: "Your password was changed" });
  expect(await signIn(email, PASSWORD)).toMatchObject({ status: 401 });
  expect(await signIn(email, OTHER_PASSWORD)).toMatchObject({ status: 200 });
});

test("only one of many concurrent resets succeeds, and only its password works", async () => {
  const { email } = await join();
  const token = await openRecovery(email);
  const passwords = ["the first pass phrase", "the second pass phrase", "the third pass phrase"];
  const answers = await Promise.all(
    passwords.map((password) => api.call(contract.resetPassword, { body: { token, password } })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410]);
  const signIns = [];
  for (const password of passwords) signIns.push((await signIn(email, password)).status);
  expect(signIns).toEqual(answers.map(({ status }) => (status === 200 ? 200 : 401)));
});

test("choosing the current password again succeeds and still ends the other sessions", async () => {
  const before = supabase.sessions.size;
  const { email, token } = await join();
  const other = await signedIn(email);
  const body = { currentPassword: PASSWORD, password: PASSWORD };
  expect(await api.call(contract.changePassword, { token, body })).toMatchObject({ status: 200 });
  expect([await isSignedIn(token), await isSignedIn(other)]).toEqual([true, false]);
  const reset = { token: await openRecovery(email), password: PASSWORD };
  expect(await api.call(contract.resetPassword, { body: reset })).toMatchObject({ status: 200 });
  expect([await isSignedIn(token), supabase.sessions.size]).toEqual([false, before]);
  expect(await signIn(email, PASSWORD)).toMatchObject({ status: 200 });
});

test("a resend mails a new reset link, which works once", async () => {
  const { email } = await join();
  const resetToken = await requestReset(email);
  const first = await supabase.mailTo(email, 2);
  clock.advance(MINUTE);
  await api.read(contract.resendPasswordReset, { body: { token: resetToken } });
  const { tokenHash: token } = await supabase.mailTo(email, 3);
  expect(token).not.toBe(first.tokenHash);
  expect(await api.call(contract.openRecovery, { body: { token } })).toMatchObject({ status: 200 });
  expect(await api.call(contract.openRecovery, { body: { token } })).toMatchObject({
    status: 410,
    body: { error: "EXPIRED" },
  });
});

test("emails from Supabase and from this server share a limit of five per mailbox", async () => {
  const { email } = await join("frank@nodebeat.test");
  const tokens = [await requestReset(email), await requestReset(email), await requestReset(email)];
  await supabase.mailTo(email, 4);
  const again = async (address: string) =>
    api.call(contract.signUp, await fillIn({ email: address, password: OTHER_PASSWORD }));
  await again(email);
  expect(await mailbox.read(email)).toMatchObject({ subject: "You already have an account" });

  supabase.takeRequests();
  expect(await again(email)).toMatchObject({ status: 200 });
  expect(await again("frank+2@nodebeat.test")).toMatchObject({ status: 200 });
  await requestReset(email);
  const { resend } = await api.read(contract.resendPasswordReset, { body: { token: tokens[0] } });
  expect(resend.state).toBe("FIRST_RESEND");
  const { signupToken: token } = await signUp();
  expect(supabase.takeRequests()).toEqual(["POST /signup"]);
  await mailbox.deliver();
  expect(mailbox.mails.filter(({ to }) => to === email)).toHaveLength(1);

  clock.advance(MINUTE);
  await api.read(contract.resendVerification, { body: { token } });
  expect(supabase.takeRequests()).toEqual(["POST /resend"]);
});

test("a password change ends every other session, and this one survives its next renewal", async () => {
  const { email, token } = await join();
  const other = await signedIn(email);
  const before = new Set(supabase.sessions);
  const change = (currentPassword: string, password: string) =>
    api.call(contract.changePassword, { token, body: { currentPassword, password } });
  expect(await change("not the password", OTHER_PASSWORD)).toMatchObject({
    status: 400,
    body: { fields: { currentPassword: ["That is not your current password."] } },
  });
  expect(await change(PASSWORD, email)).toMatchObject({
    status: 400,
    body: { fields: { password: ["That password is too easy to guess. Choose another."] } },
  });
  // Supabase demands a letter.
  expect(await change(PASSWORD, "40817 29563 11")).toMatchObject({ status: 400 });
  expect([...supabase.sessions].filter((id) => !before.has(id))).toEqual([]);
  expect(await change(PASSWORD, OTHER_PASSWORD)).toMatchObject({ status: 200 });
  clock.advance(HOUR);
  expect([await isSignedIn(token), await isSignedIn(other)]).toEqual([true, false]);
  expect(await signIn(email, OTHER_PASSWORD)).toMatchObject({ status: 200 });
});

test("a user known only to Supabase becomes a member at the first sign-in", async () => {
  const email = await scene.joinSupabase();
  const [first, second] = [await signedIn(email), await signedIn(email)];
  const user = await api.read(readUser, { token: first });
  expect(user.email).toBe(email);
  expect(await api.read(readUser, { token: second })).toEqual(user);
});

test("a member from before Supabase stays the same member after signing up there", async () => {
  const { user } = await seedMember(api.deps, { email: scene.newAddress() });
  const { signupToken: token, mail } = await signUp(user.email);
  const verified = await api.read(contract.verify, { body: { token, verificationCode: mail.code } });
  expect(verified.user.id).toBe(user.id);
});

test("the database holds no Supabase secret in plain text", async () => {
  const { email, token } = await join();
  const recoveryToken = await openRecovery(email);
  const dump = await dumpDatabase(database.db);
  const { tokenHash } = await supabase.mailTo(email, 2);
  const secrets = [token, recoveryToken, PASSWORD, tokenHash, ...supabase.tokens()];
  expect(secrets.flatMap(listEncodings).filter((form) => dump.includes(form))).toEqual([]);
});

test("a deletion is confirmed with Supabase's password, and signing in after it creates a new member", async () => {
  const { email, token } = await join();
  const ask = (password: string) => api.call(requestDeletion, { token, body: { password, understood: true } });
  expect(await ask("not the password")).toMatchObject({
    status: 400,
    body: { fields: { password: [expect.any(String)] } },
  });
  expect(await ask(PASSWORD)).toMatchObject({ status: 200 });
  const { id } = await api.read(readUser, { token });
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  const provider = openAuthProvider(api.deps);
  await eraseDueAccounts(api.deps, provider);
  clock.advance(MINUTE);
  expect(await eraseDueAccounts(api.deps, provider)).toBe(1);
  const { subject, text } = await mailbox.read(email);
  expect(subject).toBe("Your account has been deleted");
  expect(text).toContain("Our sign-in provider still has your email address and password.");
  const again = await api.read(readUser, { token: await signedIn(email) });
  expect([again.email, again.id === id]).toEqual([email, false]);
});
