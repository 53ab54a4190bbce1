import { expect, test } from "vitest";
import { createTestApi, fillForm, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { eraseAtOnce, eraseDueAccounts } from "../../tests/support/api/jobs.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { changePassword, forgotPassword, login, openRecovery, resetPassword } from "../auth/contract.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { readUptime, registerDevice, revokeDevice, sendHeartbeats } from "../heartbeats/contract.ts";
import { readUser } from "../profile/contract.ts";
import { readSecurityActivity } from "../security-activity/contract.ts";
import { startSession } from "../sessions/service.ts";
import { DELETION_GRACE_SECONDS, keepAccount, requestDeletion } from "./contract.ts";

const { api, clock, database, mailbox } = await openTestApi();

const email = "ada@nodebeat.test";
const body = { password: TEST_PASSWORD, understood: true } as const;
const after = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();

async function signIn() {
  const turnstileToken = await fillForm(api, clock);
  return api.read(login, { body: { email, password: TEST_PASSWORD, turnstileToken } });
}

test("requesting a deletion returns and mails its date, and signs the member out elsewhere", async () => {
  const { token } = await seedMember(api.deps, { email });
  const { access_token: other } = await signIn();
  const due = after(DELETION_GRACE_SECONDS);

  expect(await api.read(requestDeletion, { token, body })).toEqual({
    success: true,
    message: "Your account will be deleted. Until then you can keep it.",
    deletionDueAt: due,
  });
  expect((await api.call(readUser, { token: other })).status).toBe(401);
  expect((await api.read(readUser, { token })).deletion_due_at).toBe(due);
  const mail = await mailbox.read(email);
  expect([mail.subject, mail.link]).toEqual(["Your account will be deleted", "http://nodebeat.test/profile/delete"]);
  expect(mail.text).toContain("4 December 2026, 12:00 UTC");
  const { events } = await api.read(readSecurityActivity, { token });
  expect(events[0]?.kind).toBe("deletion-requested");

  clock.advance(60_000);
  expect((await api.read(requestDeletion, { token, body })).deletionDueAt).toBe(due);
  await mailbox.deliver();
  expect(mailbox.mails.filter(({ subject }) => subject === "Your account will be deleted")).toHaveLength(1);
});

test("a reset link requested before a deletion request stops working", async () => {
  const { token } = await seedMember(api.deps, { email });
  const turnstileToken = await fillForm(api, clock);
  await api.read(forgotPassword, { body: { email, turnstileToken } });
  const link = tokenOf(await mailbox.read(email));
  await api.read(requestDeletion, { token, body });
  expect(await api.call(openRecovery, { body: { token: link } })).toMatchObject({
    status: 410,
    body: { error: "ALREADY_USED" },
  });
});

test("until it is due, the member can sign in, earn with a machine and keep the account", async () => {
  const { token } = await seedMember(api.deps, { email });
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "Attic" } });
  await api.read(requestDeletion, { token, body });
  const beats = [{ timestamp: clock.now().toISOString() }];
  expect(await api.read(sendHeartbeats, { token: deviceKey, body: { beats } })).toMatchObject({ accepted: 1 });
  const { access_token: later, user } = await signIn();
  expect(user.deletion_due_at).toBeDefined();

  expect(await api.read(keepAccount, { token: later })).toEqual({
    success: true,
    message: "Your account will not be deleted.",
  });
  const kept = await api.read(readUser, { token: later });
  // Pages that are open elsewhere notice the change by this.
  expect([kept.deletion_due_at, kept.updated_at]).toEqual([undefined, clock.now().toISOString()]);
  expect((await mailbox.read(email)).subject).toBe("Your account will not be deleted");
  const { events } = await api.read(readSecurityActivity, { token });
  expect(events[0]?.kind).toBe("deletion-cancelled");
});

test("a due deletion ends the member's device keys and removes their machines, and nobody else's", async () => {
  // Long ago, so that the grace period is over by the database's clock too.
  clock.advance(-2 * DELETION_GRACE_SECONDS * 1000);
  const members = [await seedMember(api.deps), await seedMember(api.deps)];
  const keys: string[] = [];
  for (const { token } of members)
    keys.push((await api.read(registerDevice, { token, body: { name: "Attic" } })).deviceKey);
  await api.read(requestDeletion, { token: members[0]?.token, body });
  clock.advance(2 * DELETION_GRACE_SECONDS * 1000);
  await eraseDueAccounts(api.deps, createEmbeddedProvider(api.deps));
  const beats = [{ timestamp: clock.now().toISOString() }];
  const beat = (token: string) => api.call(sendHeartbeats, { token, body: { beats } });
  expect((await Promise.all(keys.map(beat))).map(({ status }) => status)).toEqual([401, 200]);
  clock.advance(60_000);
  expect(await eraseDueAccounts(api.deps, createEmbeddedProvider(api.deps))).toBe(1);
  const { token } = await startSession(api.deps, { userId: members[1]?.user.id ?? "", client: NO_CLIENT });
  const { lastBeat } = await api.read(readUptime, { token, query: { range: "last24hours" } });
  expect(lastBeat?.device).toBe("Attic");
});

test("keeping the account at the last moment restores its device keys, except those revoked before", async () => {
  // Long ago, so that the grace period is over by the database's clock too.
  clock.advance(-2 * DELETION_GRACE_SECONDS * 1000);
  const { token } = await seedMember(api.deps, { email });
  const make = async (by: string, name: string) => api.read(registerDevice, { token: by, body: { name } });
  const [attic, sold] = [await make(token, "Attic"), await make(token, "Sold")];
  await api.read(revokeDevice, { token, params: { id: sold.deviceId } });
  await api.read(requestDeletion, { token, body });
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  const erase = () => eraseDueAccounts(api.deps, createEmbeddedProvider(api.deps));
  await erase();
  const { access_token: early } = await signIn();
  const cellar = await make(early, "Cellar");
  clock.advance(60_000);
  expect(await erase()).toBe(0);

  const beats = [{ timestamp: clock.now().toISOString() }];
  const beat = async ({ deviceKey }: { deviceKey: string }) =>
    (await api.call(sendHeartbeats, { token: deviceKey, body: { beats } })).status;
  const beatAll = () => Promise.all([attic, cellar, sold].map(beat));
  expect(await beatAll()).toEqual([401, 401, 401]);
  await api.read(keepAccount, { token: (await signIn()).access_token });
  expect(await beatAll()).toEqual([200, 200, 401]);
});

test("each member's deletion is cancelled or carried out independently, at its own time", async () => {
  // Long ago, so that the grace period is over by the database's clock too.
  clock.advance(-4 * DELETION_GRACE_SECONDS * 1000);
  const members = [await seedMember(api.deps), await seedMember(api.deps), await seedMember(api.deps)];
  const [first, second, kept] = members.map(({ token }) => token);
  await api.read(requestDeletion, { token: first, body });
  clock.advance(10_000);
  for (const token of [second, kept]) await api.read(requestDeletion, { token, body });
  await mailbox.deliver();
  await api.read(keepAccount, { token: kept });
  await mailbox.deliver();
  const told = [...members, ...members.slice(2)].map(({ user }) => user.email);
  // Emails may overtake one another.
  expect(mailbox.mails.map(({ to }) => to).toSorted()).toEqual(told.toSorted());
  clock.advance(DELETION_GRACE_SECONDS * 1000 - 10_000);
  const later = await Promise.all(
    members.map(({ user }) => startSession(api.deps, { userId: user.id, client: NO_CLIENT })),
  );
  const read = () => Promise.all(later.map(({ token }) => api.call(readUser, { token })));
  await eraseDueAccounts(api.deps, createEmbeddedProvider(api.deps));
  const [gone, waiting, stays] = await read();
  expect([gone?.status, stays?.status]).toEqual([401, 200]);
  expect(waiting).toMatchObject({ status: 200, body: { deletion_due_at: expect.any(String) } });
  clock.advance(10_000);
  await eraseDueAccounts(api.deps, createEmbeddedProvider(api.deps));
  expect((await read()).map(({ status }) => status)).toEqual([401, 401, 200]);
});

test("keeping an account that is not to be deleted succeeds and sends no email", async () => {
  const { token } = await seedMember(api.deps, { email });
  expect(await api.read(keepAccount, { token })).toEqual({
    success: true,
    message: "Your account will not be deleted.",
  });
  await mailbox.deliver();
  expect(mailbox.mails).toEqual([]);
});

test.each([
  [
    "a wrong password",
    { password: "not the password", understood: true },
    { password: ["That is not your password."] },
  ],
  ["no password", { password: "", understood: true }, { password: ["Enter your password."] }],
  ["a box that is not ticked", { password: TEST_PASSWORD }, { understood: ["Tick the box to continue."] }],
])("%s requests no deletion", async (_, given, fields) => {
  const { token } = await seedMember(api.deps, { email });
  expect(await api.call(requestDeletion, { token, body: given })).toMatchObject({ status: 400, body: { fields } });
  expect((await api.read(readUser, { token })).deletion_due_at).toBeUndefined();
});

test("a session that a new password ends during its own request cannot request a deletion", async () => {
  const { token, user } = await seedMember(api.deps, { email });
  const { token: stranger } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  const { passwords } = api.deps;
  const verify: typeof passwords.verify = async (hash, given) => {
    const isRight = await passwords.verify(hash, given);
    await api.read(changePassword, { token, body: { currentPassword: TEST_PASSWORD, password: "a new pass phrase" } });
    return isRight;
  };
  const slow = createTestApi(database, { now: clock.now, passwords: { ...passwords, verify } });
  expect(await slow.call(requestDeletion, { token: stranger, body })).toMatchObject({ status: 401 });
  expect((await api.read(readUser, { token })).deletion_due_at).toBeUndefined();
});

test("a password reset that runs while the account is deleted is refused as already used", async () => {
  const { user } = await seedMember(api.deps, { email });
  await api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  const link = tokenOf(await mailbox.read(email));
  const { recoveryToken } = await api.read(openRecovery, { body: { token: link } });
  const { passwords } = api.deps;
  const hash: typeof passwords.hash = async (password) => {
    await eraseAtOnce(api.deps, user.id);
    return passwords.hash(password);
  };
  const slow = createTestApi(database, { now: clock.now, passwords: { ...passwords, hash } });
  const answer = await slow.call(resetPassword, { body: { token: recoveryToken, password: "a new pass phrase" } });
  expect(answer).toMatchObject({ status: 410, body: { error: "ALREADY_USED" } });
});

test("guesses at the password are rate limited", async () => {
  const { token } = await seedMember(api.deps, { email });
  const guess = { password: "not the password", understood: true };
  for (let time = 0; time < 10; time += 1) await api.call(requestDeletion, { token, body: guess });
  expect((await api.call(requestDeletion, { token, body })).status).toBe(429);
});

test("guesses at the password share one limit with the form that changes it", async () => {
  const { token } = await seedMember(api.deps, { email });
  const guess = { password: "not the password", understood: true };
  const change = (currentPassword: string) =>
    api.call(changePassword, { token, body: { currentPassword, password: "a new pass phrase" } });
  for (let time = 0; time < 5; time += 1) {
    const guesses = [await api.call(requestDeletion, { token, body: guess }), await change("not the password")];
    expect(guesses.map(({ status }) => status)).toEqual([400, 400]);
  }
  expect((await api.call(requestDeletion, { token, body })).status).toBe(429);
  expect((await change(TEST_PASSWORD)).status).toBe(429);
});
