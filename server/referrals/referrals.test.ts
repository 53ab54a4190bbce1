import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../db/transaction.ts";
import { countBeats } from "../heartbeats/service.ts";
import { readPointsLog, readStats } from "../points/contract.ts";
import { claimReferral, readReferrals, recordReferral } from "./service.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;

const invite = (inviterId: string, inviteeId: string, at = clock.now()) =>
  inTransaction(db, (tx) => recordReferral(tx, { inviterId, inviteeId, at }));

const claim = (inviterId: string, id: string | undefined) =>
  inTransaction(db, (tx) => claimReferral(tx, { inviterId, id: id ?? "", at: clock.now() }));

const beat = (userId: string, count: number) =>
  inTransaction(db, (tx) => countBeats(tx, hourlyBeats(userId, count, clock.now()), api.deps.env));

const read = (userId: string, page = 1, limit = 10) => readReferrals(api.deps, userId, { page, limit });

let wallets = 0;
const seedFriend = ({ wallet, heartbeats }: { wallet: boolean; heartbeats: number }) =>
  seedMember(api.deps, { username: "bob", ...(wallet && { wallet: `0x${++wallets}` }) }).then(async (friend) => {
    await beat(friend.user.id, heartbeats);
    return friend;
  });

// specification: 0.2, 1.5, 3.28, 3.29, 3.30, 3.31, 3.32, 3.33, 3.34, 3.36, 3.37, 3.38, 3.39, 7.23, 9.2
test("a friend who joins gets 1.000 points immediately, and the inviter a pending referral", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedFriend({ wallet: false, heartbeats: 0 })];

  const id = await invite(ada.user.id, bob.user.id);

  expect(await api.read(readPointsLog, { token: bob.token })).toMatchObject({
    total: 1,
    data: [{ category: "Referral", points: 1000 }],
  });
  expect(await api.read(readStats, { token: ada.token })).toMatchObject({
    points_total: 0,
    total_referrals: 1,
    total_referral_points: 0,
  });
  expect(await read(ada.user.id)).toEqual({
    success: true,
    referrals: [
      {
        id,
        invitedPoints: 1000,
        inviteeEmail: bob.user.email,
        inviteeHeartbeats: 0,
        inviteeUsername: "bob",
        walletConnected: false,
        invitedAt: "2026-11-20T12:00:00.000Z",
        status: "Pending",
        canClaim: false,
        pendingReasons: ["heartbeats", "wallet"],
      },
    ],
    stats: { totalReferralPoints: 0, successfulReferralsAmount: 0, pendingReferralsAmount: 1 },
    pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
  });
});

test("records only one of several concurrent invitations of a member", async () => {
  const inviters = await Promise.all([1, 2, 3].map(() => seedMember(api.deps)));
  const friend = await seedMember(api.deps);

  const ids = await Promise.all(inviters.map(({ user }) => invite(user.id, friend.user.id)));

  expect(ids.filter(Boolean)).toHaveLength(1);
  expect(await api.read(readStats, { token: friend.token })).toMatchObject({ points_total: 1000 });
  const sums = await Promise.all(inviters.map(({ user }) => read(user.id)));
  expect(sums.reduce((sum, { pagination }) => sum + pagination.total, 0)).toBe(1);
});

test("members cannot invite themselves", async () => {
  const { token, user } = await seedMember(api.deps);

  await expect(invite(user.id, user.id)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    message: "You cannot invite yourself.",
  });
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 0, total_referrals: 0 });
});

test.each([
  ["99 heartbeats and a wallet", { wallet: true, heartbeats: 99 }],
  ["100 heartbeats and no wallet", { wallet: false, heartbeats: 100 }],
])("a friend with %s is pending", async (_, progress) => {
  const [ada, bob] = [await seedMember(api.deps), await seedFriend(progress)];
  const id = await invite(ada.user.id, bob.user.id);

  expect((await read(ada.user.id)).referrals).toMatchObject([{ status: "Pending", canClaim: false }]);
  await expect(claim(ada.user.id, id)).rejects.toMatchObject({
    code: "CONFLICT",
    message: "Your friend needs 100 heartbeats and a linked wallet first.",
  });
});

test("a friend with 100 heartbeats and a wallet is claimable", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedFriend({ wallet: true, heartbeats: 100 })];
  const id = await invite(ada.user.id, bob.user.id);

  expect((await read(ada.user.id)).referrals).toMatchObject([{ status: "Claimable", canClaim: true }]);
  expect(await claim(ada.user.id, id)).toBe(1000);
});

// specification: 1.2
test("counts only one of many concurrent claims", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedFriend({ wallet: true, heartbeats: 100 })];
  const id = await invite(ada.user.id, bob.user.id);

  const claims = await Promise.allSettled(Array.from({ length: 5 }, () => claim(ada.user.id, id)));

  expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(claim(ada.user.id, id)).rejects.toMatchObject({
    code: "CONFLICT",
    message: "You have already claimed the points for this friend.",
  });
  expect(await api.read(readStats, { token: ada.token })).toMatchObject({
    points_total: 1000,
    total_referrals: 1,
    successful_referrals: 1,
    total_referral_points: 1000,
  });
  expect(await api.read(readPointsLog, { token: ada.token })).toMatchObject({
    data: [{ category: "Referral", points: 1000, comment: `${bob.user.email} reached 100 heartbeats` }],
  });
  expect(await read(ada.user.id)).toMatchObject({
    referrals: [{ status: "Success", canClaim: false }],
    stats: { totalReferralPoints: 1000, successfulReferralsAmount: 1, pendingReferralsAmount: 0 },
  });
});

test("somebody else's referral cannot be claimed or seen", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedFriend({ wallet: true, heartbeats: 100 })];
  const eve = await seedMember(api.deps);
  const id = await invite(ada.user.id, bob.user.id);

  await expect(claim(eve.user.id, id)).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "There is no such referral.",
  });
  expect((await read(eve.user.id)).referrals).toEqual([]);
});

// specification: 3.38
test("pages list the newest friends first, with the total of all", async () => {
  const ada = await seedMember(api.deps);
  for (let day = 1; day <= 7; day++) {
    const friend = await seedMember(api.deps, { username: `friend ${day}` });
    await invite(ada.user.id, friend.user.id, new Date(`2026-11-0${day}T00:00:00Z`));
  }
  const names = async (page: number) => (await read(ada.user.id, page, 3)).referrals.map((row) => row.inviteeUsername);

  expect(await names(1)).toEqual(["friend 7", "friend 6", "friend 5"]);
  expect(await names(3)).toEqual(["friend 1"]);
  expect(await read(ada.user.id, 4, 3)).toMatchObject({
    referrals: [],
    stats: { pendingReferralsAmount: 7 },
    pagination: { page: 4, limit: 3, total: 7, totalPages: 3 },
  });
  // Beyond the rows that one query reads for the first pages of any size.
  expect(await read(ada.user.id, 2, 25)).toMatchObject({ referrals: [], pagination: { total: 7, totalPages: 1 } });
});

test("a member without friends has an empty page", async () => {
  const { user } = await seedMember(api.deps);
  expect(await read(user.id)).toEqual({
    success: true,
    referrals: [],
    stats: { totalReferralPoints: 0, successfulReferralsAmount: 0, pendingReferralsAmount: 0 },
    pagination: { page: 1, limit: 10, total: 0, totalPages: 0 },
  });
});
