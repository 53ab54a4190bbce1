import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../db/transaction.ts";
import { countBeats } from "../heartbeats/service.ts";
import { readPointsLog, readPointsLogDetail, readStats } from "../points/contract.ts";
import {
  claimReferral,
  readReferralCampaign,
  readReferrals,
  readReferralsCombined,
  type ReferralStatus,
} from "./contract.ts";
import { findReferrals } from "./queries.ts";
import { recordReferral } from "./service.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;

type Progress = { name: string; heartbeats?: number; wallet?: boolean; email?: string };

/** Adds a friend with this progress who joined with the member's link, a day after the last one. */
async function invite(inviterId: string, { name, heartbeats = 0, wallet = false, email }: Progress) {
  clock.advance(24 * 60 * 60 * 1000);
  const friend = await seedMember(api.deps, {
    username: name,
    ...(wallet && { wallet: `0x${name}` }),
    ...(email && { email }),
  });
  const at = clock.now();
  return inTransaction(db, async (tx) => {
    await countBeats(tx, hourlyBeats(friend.user.id, heartbeats, at), api.deps.env);
    return (await recordReferral(tx, { inviterId, inviteeId: friend.user.id, at })) ?? "";
  });
}

/** Adds a member with friends of every kind, oldest first: early, walletless, ready, done, twin. */
async function seedFriends() {
  const { token, user } = await seedMember(api.deps, { email: "ada@example.com" });
  await invite(user.id, { name: "early", wallet: true, heartbeats: 99 });
  await invite(user.id, { name: "walletless", heartbeats: 100 });
  const ready = await invite(user.id, { name: "ready", wallet: true, heartbeats: 100 });
  const done = await invite(user.id, { name: "done", wallet: true, heartbeats: 100 });
  await invite(user.id, { name: "twin", wallet: true, heartbeats: 100, email: "ada+2@example.com" });
  await api.read(claimReferral, { token, params: { id: done } });
  return { token, ready };
}

const list = async (token: string, query: { status?: ReferralStatus; limit?: number; page?: number }) => {
  const { referrals, pagination } = await api.read(readReferrals, { token, query });
  return { names: referrals.map(({ inviteeUsername }) => inviteeUsername), total: pagination.total };
};

// specification: 3.35
test("lists friends by status, each list with its own total", async () => {
  const { token } = await seedFriends();
  expect(await list(token, { status: "Pending" })).toEqual({ names: ["twin", "walletless", "early"], total: 3 });
  expect(await list(token, { status: "Claimable" })).toEqual({ names: ["ready"], total: 1 });
  expect(await list(token, { status: "Success" })).toEqual({ names: ["done"], total: 1 });
  expect(await list(token, { status: "Pending", limit: 2, page: 2 })).toEqual({ names: ["early"], total: 3 });
  expect(await list(token, { status: "Pending", limit: 2, page: 9 })).toEqual({ names: [], total: 3 });
  // Claimable friends come first across all pages.
  expect(await list(token, {})).toEqual({ names: ["ready", "twin", "done", "walletless", "early"], total: 5 });
  expect(await list(token, { limit: 2, page: 2 })).toEqual({ names: ["done", "walletless"], total: 5 });
});

/** Counts how many members are looked up for a page of friends. */
async function countLookups(userId: string, status: ReferralStatus | null) {
  const { params, sql: text } = findReferrals(status)(db).getQuery();
  const given: Record<string, unknown> = { userId, limit: 10, offset: 0 };
  const values = params.map((param) => given[(param as { name: string }).name]);
  const client = await db.$client.connect();
  await client.query("begin; set local enable_seqscan = off");
  const { rows } = await client.query<Record<"QUERY PLAN", string>>(
    `explain (analyze, costs off, timing off) ${text}`,
    values,
  );
  await client.query("rollback");
  client.release();
  const lookups = rows.map((row) => / on users .*rows=([\d.]+) loops=(\d+)/.exec(row["QUERY PLAN"]));
  return lookups.reduce((sum, found) => sum + Number(found?.[1] ?? 0) * Number(found?.[2] ?? 0), 0);
}

test("looks up few members for a page, however many friends were claimed before", async () => {
  const { user } = await seedMember(api.deps);
  for (const name of ["ready", "other"]) await invite(user.id, { name, wallet: true, heartbeats: 100 });
  await db.execute(sql`
    with friends as (
      insert into users (id, email, email_key, password_hash)
      select gen_random_uuid(), n || '@friends.test', n || '@friends.test', 'x' from generate_series(1, 2000) as n
      returning id
    ), beats as (
      insert into heartbeat_totals (user_id, heartbeats) select id, 100 from friends
    )
    insert into referrals (inviter_id, id, invitee_id, invited_points, invited_at, claimed_at)
    select ${user.id}::uuid, gen_random_uuid(), id, 1000, now(), now() from friends`);
  await db.execute(sql`analyze`);
  for (const status of [null, "Claimable", "Pending", "Success"] as const)
    expect(await countLookups(user.id, status)).toBeLessThan(20);
});

test("a page has ten friends by default and 25 at most", async () => {
  const { token } = await seedMember(api.deps);
  expect(await api.read(readReferrals, { token })).toMatchObject({ pagination: { page: 1, limit: 10 } });
  expect(await api.read(readReferrals, { token, query: { limit: 25 } })).toMatchObject({ pagination: { limit: 25 } });
  for (const query of [{ limit: 26 }, { limit: 0 }, { page: 0 }])
    expect((await api.call(readReferrals, { token, query })).status).toBe(400);
});

test("a pending referral says what it waits for", async () => {
  const { token } = await seedFriends();
  const { referrals } = await api.read(readReferrals, { token });
  expect(referrals.map(({ inviteeUsername, pendingReasons }) => [inviteeUsername, pendingReasons])).toEqual([
    ["ready", []],
    ["twin", ["review"]],
    ["done", []],
    ["walletless", ["wallet"]],
    ["early", ["heartbeats"]],
  ]);
});

// specification: 3.40
test("returns the filtered and the full list together, with the sums of all friends", async () => {
  const { token } = await seedFriends();
  const { filtered, unfiltered } = await api.read(readReferralsCombined, { token, query: { status: "Claimable" } });
  expect([unfiltered.pagination.total, filtered.pagination.total]).toEqual([5, 1]);
  expect(filtered.stats).toEqual({
    totalReferralPoints: 1000,
    successfulReferralsAmount: 1,
    pendingReferralsAmount: 4,
  });
  expect(unfiltered.stats).toEqual(filtered.stats);
});

test("pays only one of many concurrent claims", async () => {
  const { token, ready: id } = await seedFriends();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => api.call(claimReferral, { token, params: { id } })),
  );
  expect(answers.filter(({ status }) => status === 200)).toMatchObject([
    { body: { success: true, message: "The points are yours." } },
  ]);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 2000, successful_referrals: 2 });
});

test("stores a claim whose id is in capitals under the same id", async () => {
  const { token, ready } = await seedFriends();
  await api.read(claimReferral, { token, params: { id: ready.toUpperCase() } });
  const { data } = await api.read(readPointsLog, { token });
  const details = await Promise.all(
    data.map(({ id = "" }) => api.read(readPointsLogDetail, { token, params: { id } })),
  );
  const friends = details.map(({ source }) => [source.id, source.name]);
  expect(friends).toContainEqual([ready, expect.stringContaining("@")]);
});

test("refuses to claim another member's, an unknown or a malformed referral, and pays nothing", async () => {
  const { ready } = await seedFriends();
  const { token } = await seedMember(api.deps);
  const claim = async (id: string) => (await api.call(claimReferral, { token, params: { id } })).status;
  expect(await claim(ready)).toBe(404);
  expect(await claim("00000000-0000-7000-8000-000000000000")).toBe(404);
  expect(await claim("no-id")).toBe(400);
  expect((await api.call(readReferrals, { token, query: { status: "success" } })).status).toBe(400);
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 0 });
});

// specification: 7.46
test("the referral campaign says what a friend is worth and how many there are", async () => {
  const { token } = await seedFriends();
  expect(await api.read(readReferralCampaign, { token })).toEqual({
    personalCode: expect.stringMatching(/^\w{5}$/),
    referralPoints: 1000,
    heartbeatsRequired: 100,
    stats: { totalReferralPoints: 1000, successfulReferralsAmount: 1, pendingReferralsAmount: 4 },
  });
  const nobody = await seedMember(api.deps);
  expect(await api.read(readReferralCampaign, nobody)).toMatchObject({
    personalCode: nobody.user.personal_code,
    stats: { successfulReferralsAmount: 0, pendingReferralsAmount: 0 },
  });
});
