import { afterAll, expect, test } from "vitest";
import { BY_OPERATOR, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { eraseDueAccounts } from "../../tests/support/api/jobs.ts";
import { watchLocks } from "../../tests/support/database/lock-watch.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { approveAdjustment, makeAdjustment, readAdjustmentRequests } from "../adjustments/contract.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { inTransaction } from "../db/transaction.ts";
import { countBeats } from "../heartbeats/service.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { releaseHeld } from "../referrals/review.ts";
import { recordReferral } from "../referrals/service.ts";
import { DELETION_GRACE_SECONDS, requestDeletion } from "./contract.ts";

/*
 * Somebody decides about a member's points while the account is being deleted: the two transactions must not deadlock.
 */

const database = await createTestDatabase();
const { db } = database;
// In the past, so that a grace period that is over by this clock is over by the database's clock too.
const clock = createTestClock("2026-01-20T12:00:00.000Z");
const api = createTestApi(database, { now: clock.now });
const provider = createEmbeddedProvider(api.deps);
const { block, countDeadlocks, hold } = watchLocks(database);
afterAll(() => database.close());

/** Takes the deletion of an account to the point where nothing opens it any more. */
async function leave(token: string) {
  await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  await eraseDueAccounts(api.deps, provider);
  clock.advance(60_000);
}

/** Starts the deletions that are due, and calls `decide` when a deletion has locked the member and little else. */
async function decideMeanwhile<Result>(decide: () => Promise<Result>) {
  const before = await countDeadlocks();
  const release = await hold("lock table chain_jobs in exclusive mode");
  const [erasing] = await block(() => eraseDueAccounts(api.deps, provider));
  const [deciding] = await block(decide);
  await release();
  const [erased, decided] = await Promise.all([erasing, deciding]);
  return { erased, decided, deadlocks: (await countDeadlocks()) - before };
}

test("an adjustment request is deleted with the member's account, even if it is being approved", async () => {
  const member = await seedMember(api.deps);
  await leave(member.token);
  const [ada, ben] = [await seedAdministrator(api.deps), await seedAdministrator(api.deps)];
  const body = { member: member.user.id, points: 20_000, category: "Rewards", key: "may", reason: "Lost in an outage" };
  await api.read(makeAdjustment, { token: ada.token, body });
  const { items } = await api.read(readAdjustmentRequests, { token: ben.token, query: {} });
  const approval = { token: ben.token, params: { id: items[0]?.id ?? "" }, body: { reason: "I have seen the log" } };

  const { decided, ...rest } = await decideMeanwhile(() => api.call(approveAdjustment, approval));
  expect(decided).toMatchObject({ status: 404 });
  expect(rest).toEqual({ erased: 1, deadlocks: 0 });
});

test("a held invitation released while the friend's account is deleted causes no deadlock", async () => {
  const { user: inviter } = await seedMember(api.deps, { email: "cleo@example.com" });
  const friend = await seedMember(api.deps, { email: "cleo+2@example.com", wallet: "0xabc" });
  const at = clock.now();
  const id = await inTransaction(db, async (tx) => {
    await countBeats(tx, hourlyBeats(friend.user.id, 100, at), api.deps.env);
    return recordReferral(tx, { inviterId: inviter.id, inviteeId: friend.user.id, at });
  });
  await leave(friend.token);

  const { erased, deadlocks } = await decideMeanwhile(() => releaseHeld(api.deps, BY_OPERATOR, { id: id ?? "" }));
  expect({ erased, deadlocks }).toEqual({ erased: 1, deadlocks: 0 });
  expect(await checkLedger(db)).toEqual([]);
});
