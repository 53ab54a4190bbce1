import { expect, test } from "vitest";
import { fillForm, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { tokenOf } from "../../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { erasePersonalData } from "../../account-data/erase.queries.ts";
import { wrongCode } from "../../../tests/support/api/wrong-code.ts";
import { referrals, sessions, signUps, users } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { readPointsLog, readStats } from "../../points/contract.ts";
import { readReferrals } from "../../referrals/contract.ts";
import { resendVerification, signUp, verify } from "../contract.ts";
import { createCredential } from "../../secrets/credential.ts";
import { pruneExpired } from "../../boot/housekeeping.ts";

const HOUR = 60 * 60 * 1000;
const { api, clock, mailbox } = await openTestApi();
const { db } = api.deps;
const email = "ada@nodebeat.test";

/** Signs somebody up, and returns what their email contains. */
async function startSignUp(input: { email?: string; referralCode?: string } = {}) {
  const turnstileToken = await fillForm(api, clock);
  const body = { email, password: TEST_PASSWORD, turnstileToken, ...input };
  const { signupToken: token } = await api.read(signUp, { body });
  const mail = await mailbox.read(body.email);
  return { token, code: mail.code ?? "", linkToken: tokenOf(mail) };
}

const verifyWith = (body: object) => api.call(verify, { body });
const resend = (token: string) => api.call(resendVerification, { body: { token } });

const used = {
  status: 410,
  body: { error: "ALREADY_USED", message: "This email is already confirmed. Sign in with your password." },
};
const gone = { status: 410, body: { error: "EXPIRED", message: "This sign-up has expired. Please sign up again." } };

test("the mailed link alone verifies, once, and leads to the product's address", async () => {
  const { linkToken } = await startSignUp();
  const [mail] = mailbox.mails;
  expect(mail?.link).toBe(`http://nodebeat.test/auth/verify?code=${linkToken}`);
  expect(linkToken).toMatch(/^nbv_[\w-]{43}$/);

  expect(await verifyWith({ token: linkToken })).toMatchObject({ status: 200, body: { user: { email } } });
  expect(await verifyWith({ token: linkToken })).toMatchObject(used);
  // The password hash is kept once, with the member.
  expect(await db.select({ hash: signUps.passwordHash }).from(signUps)).toEqual([{ hash: null }]);
});

test("accepts a code typed with spaces or a dash", async () => {
  const { token, code } = await startSignUp();
  const verificationCode = ` ${code.slice(0, 3)} - ${code.slice(3)} `;
  expect(await verifyWith({ token, verificationCode })).toMatchObject({ status: 200 });
});

test.for<[string, string | undefined, string]>([
  ["no code", undefined, "Enter the code."],
  ["five digits", "12345", "Enter the 6 digits of the code."],
  ["letters", "abcdef", "Enter the 6 digits of the code."],
])("rejects %s without counting an attempt", async ([, verificationCode, message]) => {
  const { token, code } = await startSignUp();
  for (let attempt = 0; attempt < 6; attempt++) {
    expect(await verifyWith({ token, verificationCode })).toMatchObject({
      status: 400,
      body: { error: "VALIDATION_ERROR", fields: { verificationCode: [message] } },
    });
  }
  expect(await verifyWith({ token, verificationCode: code })).toMatchObject({ status: 200 });
});

test("says how many attempts are left, then when a new code can be requested", async () => {
  const { token, code } = await startSignUp();
  const messages = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const { status, body } = await verifyWith({ token, verificationCode: wrongCode(code) });
    messages.push([status, (body as { message: string }).message]);
  }
  expect(messages).toEqual([
    [400, "That code is not right. 4 attempts left."],
    [400, "That code is not right. 3 attempts left."],
    [400, "That code is not right. 2 attempts left."],
    [400, "That code is not right. 1 attempt left."],
    [400, "That code is not right, and that was the last attempt. Ask for a new code."],
  ]);

  clock.advance(10_000);
  const refused = await verifyWith({ token, verificationCode: code });
  expect(refused).toMatchObject({
    status: 429,
    body: {
      error: "TOO_MANY_ATTEMPTS",
      message: "Too many attempts with this code. You can ask for a new one in 50 seconds.",
    },
  });
  expect(refused.headers.get("Retry-After")).toBe("50");
});

test("concurrent attempts are counted one by one", async () => {
  const { token, code } = await startSignUp();

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => verifyWith({ token, verificationCode: wrongCode(code) })),
  );

  expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  expect(await verifyWith({ token, verificationCode: code })).toMatchObject({ status: 429 });
});

test("the fifth attempt can succeed, and the link works after five wrong codes", async () => {
  const first = await startSignUp();
  for (let attempt = 0; attempt < 4; attempt++) await verifyWith({ ...first, verificationCode: wrongCode(first.code) });
  expect(await verifyWith({ token: first.token, verificationCode: first.code })).toMatchObject({ status: 200 });

  const second = await startSignUp({ email: "bob@nodebeat.test" });
  for (let attempt = 0; attempt < 5; attempt++)
    await verifyWith({ ...second, verificationCode: wrongCode(second.code) });
  expect(await verifyWith({ token: second.linkToken })).toMatchObject({ status: 200 });
});

test("a resend mails a new code with new attempts, and the same link", async () => {
  const { token, code, linkToken } = await startSignUp();
  for (let attempt = 0; attempt < 5; attempt++) await verifyWith({ token, verificationCode: wrongCode(code) });
  clock.advance(60_000);
  expect(await resend(token)).toMatchObject({ status: 200 });

  const mail = await mailbox.read(email);
  expect(mailbox.mails).toHaveLength(2);
  expect(tokenOf(mail)).toBe(linkToken);
  expect(await verifyWith({ token, verificationCode: code })).toMatchObject({ status: 400 });
  expect(await verifyWith({ token, verificationCode: mail.code })).toMatchObject({ status: 200 });
});

// specification: 3.17, 4.6
test("resends must wait one, two and five minutes, then an hour each", async () => {
  const { token } = await startSignUp();
  const rungs = [
    [60, "FIRST_RESEND", 120],
    [120, "SECOND_RESEND", 300],
    [300, "MAX_ATTEMPTS", 3600],
    [3600, "MAX_ATTEMPTS", 3600],
    [3600, "MAX_ATTEMPTS", 3600],
  ] as const;

  for (const [wait, state, next] of rungs) {
    clock.advance(wait * 1000 - 1500);
    const early = await resend(token);
    expect(early).toMatchObject({
      status: 429,
      body: { error: "TOO_MANY_ATTEMPTS", message: "Please wait 2 seconds before asking for another email." },
    });
    expect(early.headers.get("Retry-After")).toBe("2");
    clock.advance(1500);
    const answer = await resend(token);
    const timestamp = clock.now().getTime();
    expect(answer).toMatchObject({ status: 200, body: { resend: { state, timestamp, duration: next * 1000 } } });
    await mailbox.deliver();
  }
  expect(mailbox.mails).toHaveLength(6);
});

test("only one of several concurrent resends succeeds", async () => {
  const { token } = await startSignUp();
  clock.advance(60_000);
  const answers = await Promise.all(Array.from({ length: 5 }, () => resend(token)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 429, 429, 429, 429]);
});

test("concurrent use of the code and the link creates one member with one session", async () => {
  const inviter = await seedMember(api.deps);
  const { token, code, linkToken } = await startSignUp({ referralCode: inviter.user.personal_code ?? "" });
  const before = await db.$count(sessions);

  const answers = await Promise.all([
    verifyWith({ token, verificationCode: code }),
    verifyWith({ token: linkToken }),
    verifyWith({ token, verificationCode: code }),
    verifyWith({ token: linkToken }),
  ]);

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(used);
  expect([await db.$count(users), await db.$count(sessions), await db.$count(referrals)]).toEqual([2, before + 1, 1]);
});

test("a used sign-up accepts neither its code, its link nor a resend", async () => {
  const { token, code, linkToken } = await startSignUp();
  expect(await verifyWith({ token, verificationCode: code })).toMatchObject({ status: 200 });
  expect(await verifyWith({ token, verificationCode: code })).toMatchObject(used);
  expect(await verifyWith({ token: linkToken })).toMatchObject(used);
  clock.advance(60_000);
  expect(await resend(token)).toMatchObject(used);
});

test("a sign-up expires after a day and is then deleted", async () => {
  const { token, code, linkToken } = await startSignUp();
  clock.advance(24 * HOUR - 1);
  expect(await verifyWith({ token, verificationCode: wrongCode(code) })).toMatchObject({ status: 400 });
  clock.advance(1);

  // Before and after the row itself is deleted.
  for (const signUpsLeft of [1, 0]) {
    expect(await verifyWith({ token, verificationCode: code })).toMatchObject(gone);
    expect(await verifyWith({ token: linkToken })).toMatchObject(gone);
    expect(await resend(token)).toMatchObject(gone);
    expect(await db.$count(signUps)).toBe(signUpsLeft);
    clock.advance(1);
    expect(await pruneExpired(api.deps)).toMatchObject({ signUps: signUpsLeft });
  }
  expect(await db.$count(users)).toBe(0);
});

test("tokens that were never issued are answered like expired ones", async () => {
  const { code } = await startSignUp();
  for (const token of [createCredential("signUp").token, createCredential("session").token, "x"]) {
    expect(await verifyWith({ token, verificationCode: code })).toMatchObject(gone);
    expect(await resend(token)).toMatchObject(gone);
  }
  expect(await verifyWith({ token: createCredential("verifyLink").token })).toMatchObject(gone);
  expect(await verifyWith({ verificationCode: code })).toMatchObject({ status: 400 });
});

test("only the first of two sign-ups with one address to be verified creates a member", async () => {
  const [first, second] = [await startSignUp(), await startSignUp()];

  const answers = await Promise.all([
    verifyWith({ token: first.token, verificationCode: first.code }),
    verifyWith({ token: second.token, verificationCode: second.code }),
  ]);

  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)).toMatchObject({ body: { error: "CONFLICT" } });
  expect([await db.$count(users), await db.$count(sessions)]).toEqual([1, 1]);
});

// specification: 1.5, 9.2
test("an invitation is kept until the verification, which credits its points", async () => {
  const inviter = await seedMember(api.deps);
  const { token } = await startSignUp({ referralCode: inviter.user.personal_code?.toLowerCase() });
  expect(await api.read(readReferrals, { token: inviter.token })).toMatchObject({ referrals: [] });
  clock.advance(60_000);
  await resend(token);
  const { code } = await mailbox.read(email);

  const { accessToken, user } = await api.read(verify, { body: { token, verificationCode: code } });

  expect(user.invited_by).toBe(inviter.user.id);
  expect(await api.read(readStats, { token: accessToken })).toMatchObject({ points_total: 1000 });
  expect(await api.read(readPointsLog, { token: accessToken })).toMatchObject({
    total: 1,
    data: [{ category: "Referral", points: 1000 }],
  });
  expect(await api.read(readReferrals, { token: inviter.token })).toMatchObject({
    referrals: [{ inviteeEmail: email, status: "Pending", invitedPoints: 1000 }],
  });
});

test("an invitation from a member deleted in the meantime blocks no sign-up and credits nothing", async () => {
  const inviter = await seedMember(api.deps);
  const { token, code } = await startSignUp({ referralCode: inviter.user.personal_code ?? "" });
  await inTransaction(db, (tx) => erasePersonalData(tx, { userId: inviter.user.id, now: clock.now() }));
  const { accessToken, user } = await api.read(verify, { body: { token, verificationCode: code } });
  expect(user.invited_by).toBeNull();
  expect(await api.read(readStats, { token: accessToken })).toMatchObject({ points_total: 0 });
});

test("members cannot invite themselves by signing up again with their own address", async () => {
  const { user, token } = await seedMember(api.deps, { email });
  const turnstileToken = await fillForm(api, clock);
  const body = { email: "ADA@nodebeat.test", password: TEST_PASSWORD, turnstileToken };
  const answer = await api.call(signUp, { body: { ...body, referralCode: user.personal_code } });

  expect(answer.status).toBe(200);
  const mail = await mailbox.read(email);
  expect(mail.subject).toBe("You already have an account");
  // Even somebody who had the link that was never mailed could not use it.
  const [row] = await db.select({ id: signUps.id }).from(signUps);
  const link = api.deps.mailed.createLink("verifyLink", row?.id ?? "");
  expect(await verifyWith({ token: link.token })).toMatchObject({ status: 409, body: { error: "CONFLICT" } });
  expect(await db.$count(referrals)).toBe(0);
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 0, total_referrals: 0 });
});
