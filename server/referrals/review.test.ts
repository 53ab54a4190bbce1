import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { inTransaction } from "../db/transaction.ts";
import { readPointsLog } from "../points/contract.ts";
import { readReferrals } from "./contract.ts";
import { listHeld, refuseHeld, releaseHeld } from "./review.ts";
import { recordReferral } from "./service.ts";

const database = await createTestDatabase();
const { db } = database;
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
beforeEach(() => database.reset());
afterAll(() => database.close());

const DAY = 24 * 60 * 60 * 1000;

/** A member and a friend of the same mailbox, whose invitation is held. */
async function hold(name = "ada") {
  const inviter = await seedMember(api.deps, { email: `${name}@example.com` });
  const friend = await seedMember(api.deps, { email: `${name}+2@example.com` });
  const joining = { inviterId: inviter.user.id, inviteeId: friend.user.id, at: clock.now() };
  const id = (await inTransaction(db, (tx) => recordReferral(tx, joining))) ?? "";
  return { id, inviter, friend };
}

const logOf = async (token: string) => (await api.read(readPointsLog, { token })).data;
const invitedBy = (token: string) => api.read(readReferrals, { token });

test("what is held is listed, the oldest first", async () => {
  const first = await hold("ada");
  clock.advance(DAY);
  const second = await hold("bob");
  expect(await listHeld(db)).toMatchObject([
    { id: first.id, inviter: "ada@example.com", invitee: "ada+2@example.com", reason: "same-mailbox" },
    { id: second.id, inviter: "bob@example.com" },
  ]);
});

test("a released invitation is paid, once, and one like any other", async () => {
  const { id, inviter, friend } = await hold();
  const decisions = await Promise.allSettled([1, 2, 3].map(() => releaseHeld(db, { id, at: clock.now() })));
  expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await logOf(friend.token)).toMatchObject([{ points: 1000, comment: "Joined with a friend's link" }]);
  expect(await invitedBy(inviter.token)).toMatchObject({
    referrals: [{ id, status: "Pending" }],
    pagination: { total: 1 },
  });
  expect(await listHeld(db)).toEqual([]);
});

test("a refused invitation is over for good: nobody is paid, and the inviter's list does without it", async () => {
  const { id, inviter, friend } = await hold();
  await refuseHeld(db, { id, at: clock.now() });
  expect(await logOf(friend.token)).toEqual([]);
  expect(await invitedBy(inviter.token)).toMatchObject({
    referrals: [],
    stats: { pendingReferralsAmount: 0 },
    pagination: { total: 0 },
  });
  await expect(releaseHeld(db, { id, at: clock.now() })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each([["00000000-0000-7000-8000-000000000000"], ["no id at all"]])("%s is found nowhere", async (id) => {
  await expect(releaseHeld(db, { id, at: clock.now() })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(refuseHeld(db, { id, at: clock.now() })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
