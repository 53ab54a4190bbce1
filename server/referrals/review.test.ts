import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { NO_CLIENT, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { eraseDueAccounts } from "../../tests/support/api/jobs.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { DELETION_GRACE_SECONDS, requestDeletion } from "../account-data/contract.ts";
import { erasePersonalData } from "../account-data/erase.queries.ts";
import { OPERATOR } from "../administration/actor.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { pointsLedger, users } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { countBeats } from "../heartbeats/service.ts";
import { readPointsLog, readStats } from "../points/contract.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { startSession } from "../sessions/service.ts";
import {
  claimReferral,
  readHeldReferral,
  readHeldReferrals,
  readReferrals,
  refuseHeldReferral,
  releaseHeldReferral,
} from "./contract.ts";
import { markClaimed } from "./queries.ts";
import { findHeld } from "./review.queries.ts";
import { refuseHeld, releaseHeld } from "./review.ts";
import { recordReferral } from "./service.ts";

// In the past, so that a grace period which has ended by this clock has ended by the database's clock too.
const { api, clock } = await openTestApi({}, "2026-01-20T12:00:00.000Z");
const { db } = api.deps;

const ACT = { actor: OPERATOR, reason: "Looked at by hand" };
const DAY = 24 * 60 * 60 * 1000;

/** Adds a member and a friend with the same mailbox, whose invitation is held. */
async function hold(name = "ada") {
  const inviter = await seedMember(api.deps, { email: `${name}@example.com` });
  const friend = await seedMember(api.deps, { email: `${name}+2@example.com` });
  const joining = { inviterId: inviter.user.id, inviteeId: friend.user.id, at: clock.now() };
  const id = (await inTransaction(db, (tx) => recordReferral(tx, joining))) ?? "";
  return { id, inviter, friend };
}

/** Meets the conditions for a claim: 100 heartbeats and a linked wallet. */
async function fulfil(userId: string, wallet = "0xabc") {
  const beats = hourlyBeats(userId, 100, clock.now());
  await inTransaction(db, (tx) => countBeats(tx, beats, api.deps.env));
  await db.update(users).set({ wallet }).where(eq(users.id, userId));
}

/** Requests the deletion of an account, and lets the grace period pass, and the minute after it. */
async function leave(token: string) {
  await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
  const provider = createEmbeddedProvider(api.deps);
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  await eraseDueAccounts(api.deps, provider);
  clock.advance(60_000);
  expect(await eraseDueAccounts(api.deps, provider)).toBe(1);
}

/** Starts a new session for somebody whose last one has been idle for too long. */
const resume = async ({ user: { id: userId } }: { user: { id: string } }) =>
  (await startSession(api.deps, { userId, client: NO_CLIENT })).token;

const claim = async (token: string, id: string) => (await api.call(claimReferral, { token, params: { id } })).status;

const logOf = async (token: string) => (await api.read(readPointsLog, { token })).data;
const invitedBy = (token: string) => api.read(readReferrals, { token });

/** Returns the outcome of each decision: "done", or the error code. */
const outcomesOf = (decisions: PromiseSettledResult<void>[]) =>
  decisions.map((each) => (each.status === "fulfilled" ? "done" : each.reason.code));

test("stores the release of an invitation whose id is in capitals under the same id", async () => {
  const { id } = await hold();
  await releaseHeld(api.deps, ACT, { id: id.toUpperCase() });
  expect(await db.select({ id: pointsLedger.sourceId }).from(pointsLedger)).toEqual([{ id }]);
  expect(await readAudit(db)).toMatchObject([{ action: "referral.released", subjectId: id }]);
});

test("lists held invitations, the oldest first", async () => {
  const first = await hold("ada");
  clock.advance(DAY);
  const second = await hold("bob");
  expect(await findHeld(db)).toMatchObject([
    { id: first.id, inviter: "ada@example.com", invitee: "ada+2@example.com", reason: "same-mailbox" },
    { id: second.id, inviter: "bob@example.com" },
  ]);

  const { token } = await seedAdministrator(api.deps);
  const page = (query: object) => api.read(readHeldReferrals, { token, query: { limit: 1, ...query } });
  expect(await page({})).toMatchObject({ items: [{ id: first.id }], next: first.id });
  expect(await page({ after: first.id })).toMatchObject({
    items: [{ id: second.id, inviter: { email: "bob@example.com" }, invitee: { email: "bob+2@example.com" } }],
    next: null,
  });
});

test("shows both members of a held invitation and which accounts share their mailbox", async () => {
  const { token } = await seedAdministrator(api.deps);
  const { id, inviter, friend } = await hold("ada");
  await hold("bob");
  const look = () => api.read(readHeldReferral, { token, params: { id: id.toUpperCase() } });
  await fulfil(friend.user.id);
  expect(await look()).toMatchObject({
    id,
    inviter: { email: "ada@example.com", hasWallet: false, friends: { invited: 1, held: 1, refused: 0 } },
    invitee: { email: "ada+2@example.com", hasWallet: true, heartbeats: 100 },
    sameMailbox: [{ id: inviter.user.id, email: "ada@example.com" }],
  });
  // Members who have left have no mailbox, so they cannot share one.
  const other = await seedMember(api.deps);
  for (const { user } of [friend, other])
    await inTransaction(db, (tx) => erasePersonalData(tx, { userId: user.id, now: clock.now() }));
  expect(await look()).toMatchObject({ invitee: { id: friend.user.id, email: null }, sameMailbox: [] });
});

test("counts how many of an inviter's friends wait for a decision or were refused", async () => {
  const { token } = await seedAdministrator(api.deps);
  const { id, inviter } = await hold("ada");
  async function invite(email: string) {
    const { user } = await seedMember(api.deps, { email });
    const joining = { inviterId: inviter.user.id, inviteeId: user.id, at: clock.now() };
    return (await inTransaction(db, (tx) => recordReferral(tx, joining))) ?? "";
  }
  await invite("bob@example.com");
  await releaseHeld(api.deps, ACT, { id: await invite("ada+3@example.com") });
  for (const email of ["ada+4@example.com", "ada+5@example.com"])
    await refuseHeld(api.deps, ACT, { id: await invite(email) });
  const { inviter: shown } = await api.read(readHeldReferral, { token, params: { id } });
  expect(shown.friends).toEqual({ invited: 5, held: 1, refused: 2 });
});

test("pays a released invitation once and then treats it like any other", async () => {
  const { id, inviter, friend } = await hold();
  const decisions = await Promise.allSettled([1, 2, 3].map(() => releaseHeld(api.deps, ACT, { id })));
  expect(outcomesOf(decisions).filter((outcome) => outcome === "done")).toHaveLength(1);
  expect(outcomesOf(decisions).filter((outcome) => outcome === "NOT_FOUND")).toHaveLength(2);
  expect(await logOf(friend.token)).toMatchObject([{ points: 1000, comment: "Joined with a friend's link" }]);
  expect(await invitedBy(inviter.token)).toMatchObject({
    referrals: [{ id, status: "Pending" }],
    pagination: { total: 1 },
  });
  expect(await findHeld(db)).toEqual([]);

  await fulfil(friend.user.id);
  expect(await invitedBy(inviter.token)).toMatchObject({ referrals: [{ status: "Claimable", canClaim: true }] });
  expect(await claim(inviter.token, id)).toBe(200);
  expect(await api.read(readStats, { token: inviter.token })).toMatchObject({ points_total: 1000 });
  expect(await checkLedger(db)).toEqual([]);
});

test("only one of two different concurrent decisions counts", async () => {
  const { id, inviter, friend } = await hold();
  const decide = [releaseHeld, refuseHeld];
  const decisions = await Promise.allSettled(decide.map((each) => each(api.deps, ACT, { id })));
  expect(outcomesOf(decisions)).toEqual(expect.arrayContaining(["done", "NOT_FOUND"]));
  const isReleased = decisions[0]?.status === "fulfilled";
  expect(await logOf(friend.token)).toHaveLength(isReleased ? 1 : 0);
  expect((await invitedBy(inviter.token)).pagination.total).toBe(isReleased ? 1 : 0);
  expect(await checkLedger(db)).toEqual([]);
});

test("a refused invitation is final: nobody is paid, and it is not in the inviter's list", async () => {
  const { id, inviter, friend } = await hold();
  await refuseHeld(api.deps, ACT, { id });
  expect(await logOf(friend.token)).toEqual([]);
  expect(await invitedBy(inviter.token)).toMatchObject({
    referrals: [],
    stats: { pendingReferralsAmount: 0 },
    pagination: { total: 0 },
  });
  expect(await api.read(readStats, { token: inviter.token })).toMatchObject({ total_referrals: 0, points_total: 0 });

  await fulfil(friend.user.id);
  expect(await claim(inviter.token, id)).toBe(404);
  await expect(releaseHeld(api.deps, ACT, { id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await checkLedger(db)).toEqual([]);
});

test("a claim concurrent with a decision is paid only after a release", async () => {
  for (const decide of [releaseHeld, refuseHeld]) {
    const { id, inviter, friend } = await hold(decide.name);
    await fulfil(friend.user.id, `0x${decide.name}`);
    const [, status] = await Promise.all([decide(api.deps, ACT, { id }), claim(inviter.token, id)]);
    expect(decide === releaseHeld ? [200, 409] : [404, 409]).toContain(status);
    const { points_total } = await api.read(readStats, { token: inviter.token });
    expect(points_total).toBe(status === 200 ? 1000 : 0);
  }
  expect(await checkLedger(db)).toEqual([]);
});

test("administrators cannot decide on invitations that they sent or accepted, but another one can", async () => {
  const [{ token, user }, other] = [await seedAdministrator(api.deps, "ada@example.com"), await hold("bob")];
  const twin = await seedMember(api.deps, { email: "ada+2@example.com" });
  const body = { reason: "Looked at by hand" };
  for (const [inviterId, inviteeId] of [
    [user.id, twin.user.id],
    [twin.user.id, user.id],
  ] as const) {
    const joining = { inviterId, inviteeId, at: clock.now() };
    const id = (await inTransaction(db, (tx) => recordReferral(tx, joining))) ?? "";
    for (const decide of [releaseHeldReferral, refuseHeldReferral])
      expect(await api.call(decide, { token, params: { id }, body })).toMatchObject({
        status: 409,
        body: { message: "This invitation is yours: another administrator has to decide." },
      });
  }
  expect(await findHeld(db)).toHaveLength(3);
  expect(await logOf(token)).toEqual([]);

  expect((await api.call(releaseHeldReferral, { token, params: { id: other.id }, body })).status).toBe(200);
  const another = await seedAdministrator(api.deps);
  for (const { id } of await findHeld(db))
    expect((await api.call(releaseHeldReferral, { token: another.token, params: { id }, body })).status).toBe(200);
  expect(await logOf(token)).toMatchObject([{ points: 1000 }]);
});

test("held and refused invitations cannot be marked as claimed", async () => {
  const { id, inviter } = await hold();
  const mark = () => inTransaction(db, (tx) => markClaimed(tx, { inviterId: inviter.user.id, id, at: clock.now() }));
  expect(await mark()).toBe(false);
  await refuseHeld(api.deps, ACT, { id });
  expect(await mark()).toBe(false);

  const other = await hold("bob");
  await releaseHeld(api.deps, ACT, { id: other.id });
  const claims = { inviterId: other.inviter.user.id, id: other.id, at: clock.now() };
  expect(await inTransaction(db, (tx) => markClaimed(tx, claims))).toBe(true);
  expect(await inTransaction(db, (tx) => markClaimed(tx, claims))).toBe(false);
});

test("a friend who leaves during the review can still be claimed once it is released", async () => {
  const { id, inviter, friend } = await hold();
  await fulfil(friend.user.id);
  await leave(friend.token);
  const token = await resume(inviter);
  expect(await invitedBy(token)).toMatchObject({
    referrals: [{ status: "Pending", pendingReasons: ["review"] }],
  });
  expect(await claim(token, id)).toBe(409);

  await releaseHeld(api.deps, ACT, { id });
  expect(await invitedBy(token)).toMatchObject({ referrals: [{ status: "Claimable", canClaim: true }] });
  expect(await claim(token, id)).toBe(200);
  expect(await logOf(token)).toMatchObject([{ points: 1000, comment: "Anonymous reached 100 heartbeats" }]);
  expect(await checkLedger(db)).toEqual([]);
});

test("a friend who leaves during the review with too few heartbeats cannot be claimed", async () => {
  const { id, inviter, friend } = await hold();
  await db.update(users).set({ wallet: "0xabc" }).where(eq(users.id, friend.user.id));
  await leave(friend.token);
  const token = await resume(inviter);
  await releaseHeld(api.deps, ACT, { id });
  expect(await invitedBy(token)).toMatchObject({ referrals: [{ status: "Pending", canClaim: false }] });
  expect(await claim(token, id)).toBe(409);
});

test("a friend whose invitation was refused cannot be invited again", async () => {
  const { id, friend } = await hold();
  await refuseHeld(api.deps, ACT, { id });
  const another = await seedMember(api.deps);
  const joining = { inviterId: another.user.id, inviteeId: friend.user.id, at: clock.now() };
  expect(await inTransaction(db, (tx) => recordReferral(tx, joining))).toBeUndefined();
  expect(await logOf(friend.token)).toEqual([]);
});

test.each([["00000000-0000-7000-8000-000000000000"], ["no id at all"]])(
  "finds no held invitation with the id %s",
  async (id) => {
    const nowhere = { code: "NOT_FOUND", message: "No held invitation has this id." };
    await expect(releaseHeld(api.deps, ACT, { id })).rejects.toMatchObject(nowhere);
    await expect(refuseHeld(api.deps, ACT, { id })).rejects.toMatchObject(nowhere);
  },
);
