import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { seedMember } from "../../../tests/support/api/api.ts";
import { eraseDueAccounts } from "../../../tests/support/api/jobs.ts";
import { createProviderTest, OTHER_PASSWORD, PASSWORD } from "../../../tests/support/supabase/provider-test.ts";
import { DELETION_GRACE_SECONDS, requestDeletion } from "../../account-data/contract.ts";
import { referrals } from "../../db/schema.ts";
import { startOperator } from "../../ops/operator.fixture.ts";
import { readUser } from "../../profile/contract.ts";
import * as contract from "../contract.ts";
import { openAuthProvider } from "./open.ts";

/* Users whom only one side knows: Supabase but not this server, or this server but no longer Supabase. */

const scene = await createProviderTest();
const { api, clock, database, mailbox, supabase } = scene;
const { fillIn, join, signUp, signIn, signedIn, openRecovery } = scene;
afterAll(() => scene.close());

async function leave({ token }: { token: string }) {
  await api.read(requestDeletion, { token, body: { password: PASSWORD, understood: true } });
  clock.advance(DELETION_GRACE_SECONDS * 1000 + 60_000);
  const provider = openAuthProvider(api.deps);
  await eraseDueAccounts(api.deps, provider);
  clock.advance(60_000);
  await eraseDueAccounts(api.deps, provider);
}

test("a sign-up after a deletion is told that the old password still works, and credits the inviter", async () => {
  const { user: friend } = await seedMember(api.deps);
  const member = await join();
  const { email } = member;
  await leave(member);
  await mailbox.read(email);

  const form = await fillIn({ email, password: OTHER_PASSWORD, referralCode: friend.personal_code ?? "" });
  expect(await api.call(contract.signUp, form)).toMatchObject({ status: 200 });
  const { subject, text } = await mailbox.read(email);
  expect(subject).toBe("Sign in with the password you had");
  expect(text).toContain("Sign in:\nhttp://nodebeat.test/auth");

  const again = await api.read(readUser, { token: await signedIn(email) });
  expect([again.email, again.id === member.user.id]).toEqual([email, false]);
  expect(await database.db.select().from(referrals)).toMatchObject([{ inviterId: friend.id, inviteeId: again.id }]);
});

test("a sign-up is over once its user has signed in without its code", async () => {
  const { email, signupToken: token, mail } = await signUp();
  supabase.verify({ token_hash: mail.tokenHash, type: "signup" });
  expect(await signIn(email)).toMatchObject({ status: 200 });
  const answer = await api.call(contract.verify, { body: { token, verificationCode: mail.code } });
  expect(answer).toMatchObject({ status: 410, body: { error: "ALREADY_USED" } });
});

test("the inviter is also credited if the invited user resets the password instead of signing in", async () => {
  const { user: friend } = await seedMember(api.deps);
  const email = await scene.joinSupabase();
  const form = await fillIn({ email, password: OTHER_PASSWORD, referralCode: friend.personal_code ?? "" });
  await api.read(contract.signUp, form);
  await openRecovery(email);
  expect(await database.db.$count(referrals, eq(referrals.inviterId, friend.id))).toBe(1);
});

test("a member from before Supabase confirms with Supabase's password, even in an older session", async () => {
  const { token, user } = await seedMember(api.deps, { email: scene.newAddress() });
  await scene.joinSupabase(user.email);
  const body = { password: PASSWORD, understood: true };
  expect(await api.call(requestDeletion, { token, body })).toMatchObject({ status: 200 });
});

test("a member from before Supabase who signs up gets only Supabase's email", async () => {
  const { user } = await seedMember(api.deps, { email: scene.newAddress() });
  await signUp(user.email);
  await mailbox.deliver();
  expect(mailbox.mails.filter(({ to }) => to === user.email)).toEqual([]);
});

test("linking a member to a new user ends the former user's sessions and recoveries", async () => {
  const { email, token, user } = await join();
  const recovery = { token: await openRecovery(email), password: "a third pass phrase" };
  supabase.changeAddress(email, scene.newAddress());
  const { signupToken, mail } = await signUp(email, { password: OTHER_PASSWORD });
  await api.call(contract.verify, { body: { token: signupToken, verificationCode: mail.code } });
  await (
    await startOperator(api.deps)
  )("members", "unlink", email, "--reason", "The address is another person's now");
  const next = await api.read(readUser, { token: await signedIn(email, OTHER_PASSWORD) });
  expect([next.id, await scene.isSignedIn(token)]).toEqual([user.id, false]);
  expect(await api.call(contract.resetPassword, { body: recovery })).toMatchObject({ status: 410 });
});

test("a member whose Supabase user was recreated cannot sign in until an operator unlinks them", async () => {
  const { email, user } = await join();
  supabase.remove(email);
  const before = [...supabase.sessions];
  clock.advance(60 * 60_000);
  const { signupToken: token, mail } = await signUp(email, { password: OTHER_PASSWORD });
  const told = {
    status: 403,
    body: {
      error: "FORBIDDEN",
      message: "Your account belongs to an earlier sign-in with this address. Contact us and we will connect the two.",
    },
  };
  expect(await api.call(contract.verify, { body: { token, verificationCode: mail.code } })).toMatchObject(told);
  expect(await signIn(email, OTHER_PASSWORD)).toMatchObject(told);
  await expect(openRecovery(email, 3)).rejects.toThrow(told.body.message);
  // The refused attempts leave no session at Supabase behind.
  expect([...supabase.sessions]).toEqual(before);

  const ops = await startOperator(api.deps);
  const why = ["--reason", "Made anew at Supabase"];
  expect(await ops("members", "unlink", email, ...why)).toBe(
    `0 ${email} is no longer linked to a user at Supabase. Whoever signs in there with this address next becomes this member.`,
  );
  expect(await ops("members", "unlink", email, ...why)).toBe(`0 ${email} was not linked.`);
  expect(await signIn(email, OTHER_PASSWORD)).toMatchObject({ status: 200, body: { user: { id: user.id } } });
});
