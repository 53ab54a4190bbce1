import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import {
  createTestApi,
  createTestClock,
  fillForm,
  NO_CLIENT,
  seedMember,
  TEST_PASSWORD,
} from "../../tests/support/api/api.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { dumpDatabase } from "../../tests/support/database/dump-database.ts";
import { findSecrets } from "../../tests/support/find-secrets.ts";
import { seedHeardMinutes } from "../../tests/support/seeds/heard-minutes.ts";
import { createAccount, seedChainMember } from "../../tests/support/chain/chain-member.ts";
import { eraseDueAccounts } from "../../tests/support/api/jobs.ts";
import { watchLocks } from "../../tests/support/database/lock-watch.ts";
import { createMailbox } from "../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { forgotPassword, login } from "../auth/contract.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { ledgerAccounts, securityEvents } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { registerDevice, sendHeartbeats } from "../heartbeats/contract.ts";
import { countBeats } from "../heartbeats/service.ts";
import { readPointsLog } from "../points/contract.ts";
import { claimReferral } from "../referrals/contract.ts";
import { recordReferral } from "../referrals/service.ts";
import { startSession } from "../sessions/service.ts";
import { setSilenceMail } from "../silence-mail/contract.ts";
import { checkForSilence } from "../silence-mail/watch.ts";
import { DELETION_GRACE_SECONDS, requestDeletion } from "./contract.ts";

const database = await createTestDatabase();
const { db } = database;
// In the past, so that a grace period that is over by this clock is over by the database's clock too.
const clock = createTestClock("2026-01-20T12:00:00.000Z");
const api = createTestApi(database, { now: clock.now });
const provider = createEmbeddedProvider(api.deps);
const mailbox = createMailbox(api.deps);
const { block, countDeadlocks, countWaiting, hold } = watchLocks(database);
afterAll(() => database.close());

const ask = (token: string) =>
  api.call(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });

/** Takes the deletion of an account to the point where nothing opens it any more. */
async function leave(token: string) {
  await ask(token);
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  await eraseDueAccounts(api.deps, provider);
  clock.advance(60_000);
}

/** Creates a member whose grace period is over, and for whom the inviter has not claimed the points yet. */
async function seedLeaving() {
  const inviter = await seedMember(api.deps);
  const friend = await seedMember(api.deps, { wallet: "0xabc" });
  const [inviterId, inviteeId] = [inviter.user.id, friend.user.id];
  const beats = hourlyBeats(inviteeId, 100, clock.now());
  const id = await inTransaction(db, async (tx) => {
    await countBeats(tx, beats, api.deps.env);
    return recordReferral(tx, { inviterId, inviteeId, at: clock.now() });
  });
  await leave(friend.token);
  const { token } = await startSession(api.deps, { userId: inviterId, client: NO_CLIENT });
  return { token, params: { id: id ?? "" }, email: friend.user.email };
}

/** Returns dependencies that make work stop before it posts its email, until `goOn` resolves. */
function createSlowDeps() {
  const [atItsEnd, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { outbox } = api.deps;
  const post: typeof outbox.post = async (...args) => {
    atItsEnd.resolve();
    await goOn.promise;
    return outbox.post(...args);
  };
  return { deps: { ...api.deps, outbox: { ...outbox, post } }, atItsEnd, goOn };
}

/** Starts the deletions that are due. Each stops at its email, near its end. */
function eraseSlowly() {
  const { deps, ...steps } = createSlowDeps();
  return { erasing: eraseDueAccounts(deps, provider), ...steps };
}

test("a claim that waits for a friend's deletion does not name the friend", async () => {
  const { email, ...inviter } = await seedLeaving();
  const { erasing, atItsEnd, goOn } = eraseSlowly();
  await atItsEnd.promise;
  const claiming = api.call(claimReferral, inviter);
  await expect.poll(countWaiting, { interval: 5 }).toBe(1);
  goOn.resolve();

  expect(await erasing).toBe(1);
  expect(await claiming).toMatchObject({ status: 200 });
  const { data } = await api.read(readPointsLog, { token: inviter.token });
  expect(data).toMatchObject([{ points: 1000, comment: "Anonymous reached 100 heartbeats" }]);
  expect(findSecrets(await dumpDatabase(db), [email])).toEqual([]);
});

test("a device registered during the deletion leaves nothing behind", async () => {
  const { email } = await seedLeaving();
  const turnstileToken = await fillForm(api, clock);
  const { access_token: token } = await api.read(login, { body: { email, password: TEST_PASSWORD, turnstileToken } });
  const { erasing, atItsEnd, goOn } = eraseSlowly();
  await Promise.race([atItsEnd.promise, erasing]);
  let isOver = false;
  const registering = api.call(registerDevice, { token, body: { name: "the cellar" } }).finally(() => (isOver = true));
  await expect.poll(async () => isOver || (await countWaiting()) === 1, { interval: 5 }).toBe(true);
  goOn.resolve();

  await Promise.all([registering, erasing]);
  clock.advance(60_000);
  await eraseDueAccounts(api.deps, provider);
  expect(findSecrets(await dumpDatabase(db), [email, "the cellar"])).toEqual([]);
});

test("an email about a silent machine that is queued during the deletion is not sent after it", async () => {
  const { token, user } = await seedMember(api.deps);
  await api.read(sendHeartbeats, { token, body: { beats: [{ timestamp: clock.now().toISOString() }] } });
  await api.read(setSilenceMail, { token, body: { afterHours: 1, tellsReturn: false } });
  await leave(token);
  await seedHeardMinutes(db, clock.now());
  const { deps, atItsEnd, goOn } = createSlowDeps();
  const looking = checkForSilence(deps);
  await atItsEnd.promise;
  const [erasing] = await block(() => eraseDueAccounts(api.deps, provider));
  goOn.resolve();

  await Promise.all([looking, erasing]);
  await mailbox.deliver();
  const mails = mailbox.mails.filter(({ to }) => to === user.email);
  expect(mails.map(({ subject }) => subject)).toEqual(["Your account has been deleted"]);
});

test("a reset requested during the deletion leaves no address and no security event behind", async () => {
  const { token, user } = await seedMember(api.deps);
  await leave(token);
  const turnstileToken = await fillForm(api, clock);
  const { deps, atItsEnd, goOn } = createSlowDeps();
  const asking = createTestApi(database, { now: clock.now, outbox: deps.outbox }).call(forgotPassword, {
    body: { email: user.email, turnstileToken },
  });
  await atItsEnd.promise;
  await eraseDueAccounts(api.deps, provider);
  goOn.resolve();
  expect(await asking).toMatchObject({ status: 200 });

  clock.advance(60_000);
  await eraseDueAccounts(api.deps, provider);
  expect(findSecrets(await dumpDatabase(db), [user.email])).toEqual([]);
  expect(await db.$count(securityEvents, eq(securityEvents.userId, user.id))).toBe(0);
});

test("a Smart Account created during the deletion is deleted too", async () => {
  const member = await seedChainMember(api.deps);
  await createAccount(api, member);
  await leave(member.token);
  const { erasing, atItsEnd, goOn } = eraseSlowly();
  await atItsEnd.promise;
  const [working] = await block(() => api.deps.chain.advance());
  goOn.resolve();

  await Promise.all([erasing, working]);
  expect(await db.$count(ledgerAccounts)).toBe(0);
});

test("requesting the deletion again while the account is being closed does not deadlock", async () => {
  const { token, user } = await seedMember(api.deps);
  await ask(token);
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  const { token: present } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  const before = await countDeadlocks();
  const release = await hold("select from account_deletions for update");
  const [closing] = await block(() => eraseDueAccounts(api.deps, provider));
  const [asking] = await block(() => ask(present));
  await release();

  await closing;
  expect(await asking).toMatchObject({ status: 401 });
  expect(await countDeadlocks()).toBe(before);
});
