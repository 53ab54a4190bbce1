import { afterAll, expect, test } from "vitest";
import { seedMember } from "../../../tests/support/api/api.ts";
import { createProviderTest, OTHER_PASSWORD, PASSWORD } from "../../../tests/support/supabase/provider-test.ts";
import { referrals } from "../../db/schema.ts";
import * as contract from "../contract.ts";

/* A sign-up with an address after a stranger's: Supabase keeps the password of the first. */

const scene = await createProviderTest();
const { api, database, supabase } = scene;
const { fillIn, signUp, signIn, openRecovery } = scene;
afterAll(() => scene.close());

const statusOf = async (email: string, password: string) => (await signIn(email, password)).status;

/** Signs the owner up after a stranger, and returns the second email to the address. */
async function signUpAfter(email: string, [strangers, owners]: [string | null, string | null]) {
  await signUp(email, { password: OTHER_PASSWORD, ...(strangers && { referralCode: strangers }) });
  const form = await fillIn({ email, password: PASSWORD, ...(owners && { referralCode: owners }) });
  const { signupToken: token } = await api.read(contract.signUp, form);
  return { token, mail: await supabase.mailTo(email, 2) };
}

test("the code creates a member with the password of the sign-up it is entered in", async () => {
  const email = "ada@nodebeat.test";
  const { user: friend } = await seedMember(api.deps);
  const { user: thief } = await seedMember(api.deps);
  const { token, mail } = await signUpAfter(email, [thief.personal_code, friend.personal_code]);

  const { user } = await api.read(contract.verify, { body: { token, verificationCode: mail.code } });

  expect([await statusOf(email, PASSWORD), await statusOf(email, OTHER_PASSWORD)]).toEqual([200, 401]);
  const credited = await database.db.select().from(referrals);
  expect(credited).toMatchObject([{ inviterId: friend.id, inviteeId: user.id }]);
  expect((await database.pool.query("select from sign_ups where sealed_password is not null")).rowCount).toBe(1);
});

test("a stranger's sign-up with a member's address cannot be verified with the code for the member's new password", async () => {
  const email = "eva@nodebeat.test";
  const { signupToken, mail } = await signUp(email);
  await api.read(contract.verify, { body: { token: signupToken, verificationCode: mail.code } });
  await api.read(contract.forgotPassword, await fillIn({ email }));
  const { code } = await supabase.mailTo(email, 2);
  const { signupToken: token } = await api.read(contract.signUp, await fillIn({ email, password: OTHER_PASSWORD }));
  const guessed = await api.call(contract.verify, { body: { token, verificationCode: code } });
  expect(guessed).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR" } });
  expect([await statusOf(email, PASSWORD), await statusOf(email, OTHER_PASSWORD)]).toEqual([200, 401]);
});

test("a sign-up past the email limit cannot be verified with another sign-up's code", async () => {
  const email = "dora@nodebeat.test";
  const { mail, signupToken } = await signUp(email);
  // Uses up the emails that this mailbox may get.
  for (let index = 0; index < 4; index++) await signUp(`dora+${index}@nodebeat.test`);
  const { signupToken: unmailed } = await api.read(contract.signUp, await fillIn({ email, password: OTHER_PASSWORD }));
  supabase.takeKinds();
  const verify = (token: string) => api.call(contract.verify, { body: { token, verificationCode: mail.code } });
  expect(await verify(unmailed)).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR" } });
  expect(supabase.takeKinds()).toEqual(["verify signup"]);
  expect(await verify(signupToken)).toMatchObject({ status: 200 });
});

test("with two sign-ups for an address, a link enables neither password, and the owner chooses a new one", async () => {
  const email = "ben@nodebeat.test";
  const { user: friend } = await seedMember(api.deps);
  const { user: thief } = await seedMember(api.deps);
  const { mail } = await signUpAfter(email, [friend.personal_code, thief.personal_code]);
  const before = [...supabase.sessions];

  expect(await api.call(contract.verify, { body: { token: mail.tokenHash } })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("Choose a new password") },
  });
  expect([...supabase.sessions]).toEqual(before);
  expect([await statusOf(email, PASSWORD), await statusOf(email, OTHER_PASSWORD)]).toEqual([401, 401]);

  const token = await openRecovery(email, 3);
  await api.read(contract.resetPassword, { body: { token, password: PASSWORD } });
  expect([await statusOf(email, PASSWORD), await statusOf(email, OTHER_PASSWORD)]).toEqual([200, 401]);
  // Nobody knows who invited the owner, so no referral is added.
  expect(await database.db.$count(referrals)).toBe(1);
});

test("if a chosen password cannot be unsealed, no password works until the owner chooses one", async () => {
  const email = "cleo@nodebeat.test";
  const { token, mail } = await signUpAfter(email, [null, null]);
  await database.pool.query("update sign_ups set sealed_password = sha256('another')");
  const before = [...supabase.sessions];
  expect(await api.call(contract.verify, { body: { token, verificationCode: mail.code } })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("Choose a new password") },
  });
  expect([...supabase.sessions]).toEqual(before);
  expect([await statusOf(email, PASSWORD), await statusOf(email, OTHER_PASSWORD)]).toEqual([401, 401]);

  const recovery = await openRecovery(email, 3);
  await api.read(contract.resetPassword, { body: { token: recovery, password: PASSWORD } });
  expect(await statusOf(email, PASSWORD)).toBe(200);
});

test("a link creates a member even if the sign-up was made at Supabase directly", async () => {
  const email = "dan@nodebeat.test";
  supabase.signUp(email, PASSWORD);
  const { tokenHash: token } = await supabase.mailTo(email);
  const { user } = await api.read(contract.verify, { body: { token } });
  expect([user.email, await statusOf(email, PASSWORD)]).toEqual([email, 200]);
});

test("the last link of several sign-ups in one browser sets the last chosen password", async () => {
  const email = "eve@nodebeat.test";
  const headers = { "X-Device-Token": "l".repeat(43) };
  for (const password of [OTHER_PASSWORD, PASSWORD])
    await api.read(contract.signUp, { ...(await fillIn({ email, password })), headers });
  const { tokenHash: token } = await supabase.mailTo(email, 2);
  await api.read(contract.verify, { body: { token } });
  expect([await statusOf(email, PASSWORD), await statusOf(email, OTHER_PASSWORD)]).toEqual([200, 401]);
});
