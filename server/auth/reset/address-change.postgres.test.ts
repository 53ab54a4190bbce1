import { expect, test } from "vitest";
import { createTestApi, fillForm, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { watchLocks } from "../../../tests/support/database/lock-watch.ts";
import { tokenOf } from "../../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../../db/transaction.ts";
import { requestEmailChange, verifyEmailChange } from "../../email-change/contract.ts";
import { forgotPassword, login, openRecovery, resetPassword } from "../contract.ts";
import { finishChange } from "../password/change-password.ts";
import { finishReset } from "./password-reset.ts";

/* Somebody asks for a new password while the address changes: neither transaction sees the other's writes. */

const { api, clock, database, mailbox } = await openTestApi();
const former = "ada@nodebeat.test";
const email = "ada@elsewhere.test";
const gone = { status: 410 };

/** Creates an API whose transactions stop before the last thing they write, an email, until `goOn` is called. */
function createSlowApi() {
  const [arrival, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { outbox } = api.deps;
  const post: typeof outbox.post = async (...args) => {
    arrival.resolve();
    await release.promise;
    await outbox.post(...args);
  };
  const { call } = createTestApi(database, { now: clock.now, outbox: { ...outbox, post } });
  return { call, arrival: arrival.promise, goOn: release.resolve };
}

/** Starts a request for a new password that does not finish yet, for a member who has the code for another address. */
async function ask() {
  const { token } = await seedMember(api.deps, { email: former });
  await api.read(requestEmailChange, { token, body: { email, password: TEST_PASSWORD } });
  const { code: verificationCode } = await mailbox.read(email);
  const turnstileToken = await fillForm(api, clock);
  const slow = createSlowApi();
  const forgetting = slow.call(forgotPassword, { body: { email: former, turnstileToken } });
  await slow.arrival;
  const receiveLink = async () => {
    slow.goOn();
    await forgetting;
    await mailbox.deliver();
    const mail = mailbox.mails.find(({ subject }) => subject === "Choose a new password");
    return { body: { token: mail ? tokenOf(mail) : "" } };
  };
  return { change: { token, body: { verificationCode } }, receiveLink };
}

test("a reset link requested while the address changes stops working", async () => {
  const { change, receiveLink } = await ask();
  await api.read(verifyEmailChange, change);
  expect(await api.call(openRecovery, await receiveLink())).toMatchObject(gone);
});

test("a recovery opened while the address changes cannot set a password", async () => {
  const { change, receiveLink } = await ask();
  const slow = createSlowApi();
  const changing = slow.call(verifyEmailChange, change);
  await slow.arrival;
  const { recoveryToken: token } = await api.read(openRecovery, await receiveLink());
  const { passwords } = api.deps;
  const hash: typeof passwords.hash = (password) => {
    slow.goOn();
    return passwords.hash(password);
  };
  const { call } = createTestApi(database, { now: clock.now, passwords: { ...passwords, hash } });
  expect(await call(resetPassword, { body: { token, password: "a new pass phrase" } })).toMatchObject(gone);
  expect(await changing).toMatchObject({ status: 200 });
});

test("a sign-in waits while the password is being replaced, then rejects the former password", async () => {
  const { user } = await seedMember(api.deps, { email: former });
  const body = { email: former, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  const next = await api.deps.passwords.hash("a new pass phrase");
  const { block, hold } = watchLocks(database);
  const release = await hold(`update users set password_hash = '${next}' where id = '${user.id}'`);
  const [signingIn] = await block(() => api.call(login, { body }));
  await release();
  expect(await signingIn).toMatchObject({ status: 401, body: { error: "INVALID_CREDENTIALS" } });
});

test("a password change and a reset do not deadlock if another provider keeps the password", async () => {
  const { user } = await seedMember(api.deps, { email: former });
  const turnstileToken = await fillForm(api, clock);
  await api.read(forgotPassword, { body: { email: former, turnstileToken } });
  const { block, countDeadlocks, hold } = watchLocks(database);
  const member = { userId: user.id, client: NO_CLIENT };
  const before = await countDeadlocks();
  const release = await hold("select from sessions for update");
  const change = { ...member, sessionId: undefined };
  const [changing] = await block(() => inTransaction(database.db, (tx) => finishChange(api.deps, tx, change)));
  const [resetting] = await block(() => inTransaction(database.db, (tx) => finishReset(api.deps, tx, member)));
  await release();
  await Promise.all([changing, resetting]);
  expect(await countDeadlocks()).toBe(before);
});
