import { afterAll, expect, test } from "vitest";
import { seedMember } from "../../../tests/support/api/api.ts";
import { createProviderTest, OTHER_PASSWORD, PASSWORD } from "../../../tests/support/supabase/provider-test.ts";
import { requestDeletion } from "../../account-data/contract.ts";
import { readUser } from "../../profile/contract.ts";
import { readSecurityActivity } from "../../security-activity/contract.ts";
import * as contract from "../contract.ts";

const HOUR = 60 * 60_000;
const scene = await createProviderTest();
const { api, clock, mailbox, supabase } = scene;
const { join, signedIn, isSignedIn, requestReset } = scene;
afterAll(() => scene.close());

const deletion = { body: { password: PASSWORD, understood: true } };

test("the next sign-in adopts an address changed at Supabase and notifies the former address", async () => {
  const { email: former, token: other, user } = await join();
  const email = scene.newAddress();
  supabase.changeAddress(former, email);
  const token = await signedIn(email);
  expect(await api.read(readUser, { token })).toMatchObject({ id: user.id, email });
  expect(await isSignedIn(other)).toBe(false);
  const { events } = await api.read(readSecurityActivity, { token });
  const changes = events.map(({ kind }) => kind).filter((kind) => kind.includes("changed"));
  expect(changes).toEqual(["email-changed-elsewhere"]);
  const { subject, text } = await mailbox.read(former);
  expect(subject).toBe("The email address of your account was changed");
  expect(text).toContain("This one no longer opens your account.");
  expect(text).toContain("If you asked for it, there is nothing to do.");
  expect(text).not.toContain(email);

  expect(await isSignedIn(await signedIn(email))).toBe(true);
  await mailbox.deliver();
  expect(mailbox.mails.filter(({ to }) => to === former)).toHaveLength(1);
  expect(await api.call(requestDeletion, { token, ...deletion })).toMatchObject({ status: 200 });
});

test("after an address change at Supabase, a known browser counts as new", async () => {
  const { email: former } = await join();
  const email = scene.newAddress();
  const headers = { "X-Device-Token": "l".repeat(43) };
  const comeIn = async (address: string) =>
    api.read(contract.login, { ...(await scene.fillIn({ email: address, password: PASSWORD })), headers });
  await comeIn(former);
  supabase.changeAddress(former, email);
  await comeIn(email);
  expect((await mailbox.read(email)).subject).toBe("New sign-in to your account");
});

test("a session adopts an address changed at Supabase when it is renewed, a recovery when it is opened", async () => {
  const { email: former, token } = await join();
  const [email, third] = [scene.newAddress(), scene.newAddress()];
  supabase.changeAddress(former, email);
  clock.advance(HOUR);
  expect(await api.read(readUser, { token })).toMatchObject({ email });
  expect(await api.call(requestDeletion, { token, ...deletion })).toMatchObject({ status: 200 });

  supabase.changeAddress(email, third);
  await requestReset(third);
  const { tokenHash } = await supabase.mailTo(third);
  const recovery = await api.read(contract.openRecovery, { body: { token: tokenHash } });
  expect(recovery.email).toBe(third);
  const body = { token: recovery.recoveryToken, password: OTHER_PASSWORD };
  expect(await api.call(contract.resetPassword, { body })).toMatchObject({ status: 200 });
});

test("an address changed at Supabase is not adopted if another member has it here", async () => {
  const { email: former } = await join();
  const { user: owner } = await seedMember(api.deps, { email: scene.newAddress() });
  supabase.changeAddress(former, owner.email);
  const token = await signedIn(owner.email);
  expect(await api.read(readUser, { token })).toMatchObject({ email: former });
});

test("the new owner of a former address cannot confirm the member's actions with their own password", async () => {
  const { email, token } = await join();
  supabase.changeAddress(email, scene.newAddress());
  const { signupToken, mail } = await scene.signUp(email, { password: OTHER_PASSWORD });
  await api.call(contract.verify, { body: { token: signupToken, verificationCode: mail.code } });

  const theirs = { body: { password: OTHER_PASSWORD, understood: true } };
  expect(await api.call(requestDeletion, { token, ...theirs })).toMatchObject({ status: 400 });
  const change = { body: { currentPassword: OTHER_PASSWORD, password: "a third pass phrase" } };
  expect(await api.call(contract.changePassword, { token, ...change })).toMatchObject({ status: 400 });
});
