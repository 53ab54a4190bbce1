import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../db/transaction.ts";
import { readPointsHistory, readStats } from "./contract.ts";
import type { PointsRule } from "./rules.ts";
import { postPoints } from "./service.ts";
import { CLAIMED_RULE, JOINED_RULE } from "../referrals/earning.ts";
import { HEARTBEAT_RULE } from "../heartbeats/earning.ts";
import { CAMPAIGN_RULE } from "../rewards/earning.ts";
import { GENESIS_RULE } from "./rules.ts";

const { api, database } = await openTestApi();

let events = 0;
const post = (userId: string, rule: PointsRule, points: number, at: string) =>
  inTransaction(database.db, (tx) =>
    postPoints(tx, [
      {
        userId,
        rule,
        sourceId: new Date(Date.parse(at) - ++events * 1000).toISOString(),
        points,
        comment: "Event",
        occurredAt: new Date(at),
      },
    ]),
  );

// specification: 3.7, 3.8, 3.9, 3.10
test("the stats of a member without points are all zero", async () => {
  const { user, token } = await seedMember(api.deps);

  expect(await api.read(readStats, { token })).toEqual({
    user_id: user.id,
    heartbeats: 0,
    heartbeats_genesis_snapshot: 0,
    last_heartbeat_at: null,
    points_today: 0,
    today: "2026-11-20",
    points_total: 0,
    total_referrals: 0,
    successful_referrals: 0,
    total_referral_points: 0,
    total_includes_all_points: true,
    points_breakdown: ["connectivity", "referral", "rewards", "others"].map((category) => ({
      category,
      color: expect.stringMatching(/^[a-z]+$/),
      percentage: 0,
      value: 0,
    })),
  });
});

// specification: 1.2, 3.10, 7.10
test("the stats add up all categories, and the breakdown has the share of each", async () => {
  const { user, token } = await seedMember(api.deps);
  await post(user.id, HEARTBEAT_RULE, 50, "2026-10-01T10:00:00Z");
  await post(user.id, CLAIMED_RULE, 33.33, "2026-10-02T10:00:00Z");
  await post(user.id, CAMPAIGN_RULE, 16.67, "2026-11-20T08:00:00Z");

  const stats = await api.read(readStats, { token });

  expect(stats).toMatchObject({ points_total: 100, points_today: 16.67 });
  expect(stats.points_breakdown.map(({ category, percentage, value }) => [category, percentage, value])).toEqual([
    ["connectivity", 50, 50],
    ["referral", 33.33, 33.33],
    ["rewards", 16.67, 16.67],
    ["others", 0, 0],
  ]);
});

test("a negative category has no share, and the shares of the others add up to 100", async () => {
  const { user, token } = await seedMember(api.deps);
  await post(user.id, HEARTBEAT_RULE, 75, "2026-10-01T10:00:00Z");
  await post(user.id, CLAIMED_RULE, 25, "2026-10-01T10:00:00Z");
  await post(user.id, CAMPAIGN_RULE, -10, "2026-10-01T10:00:00Z");

  const { points_breakdown, points_total } = await api.read(readStats, { token });

  expect(points_total).toBe(90);
  expect(points_breakdown.map(({ percentage }) => percentage)).toEqual([75, 25, 0, 0]);
});

test("today is the UTC day, from its first millisecond to its last", async () => {
  const { user, token } = await seedMember(api.deps);
  await post(user.id, CAMPAIGN_RULE, 1, "2026-11-19T23:59:59.999Z");
  await post(user.id, CAMPAIGN_RULE, 10, "2026-11-20T00:00:00.000Z");
  await post(user.id, CAMPAIGN_RULE, 100, "2026-11-20T23:59:59.999Z");
  await post(user.id, CAMPAIGN_RULE, 1000, "2026-11-21T00:00:00.000Z");

  expect(await api.read(readStats, { token })).toMatchObject({ points_today: 110, points_total: 1111 });
});

test("a member sees only their own points", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedMember(api.deps)];
  await post(ada.user.id, CAMPAIGN_RULE, 5, "2026-11-20T08:00:00Z");

  expect(await api.read(readStats, { token: bob.token })).toMatchObject({ points_total: 0, points_today: 0 });
  expect(await api.read(readPointsHistory, { token: bob.token, query: { range: "last7days" } })).toMatchObject({
    totalEntries: 0,
  });
});

// specification: 3.43, 3.44, 7.20
test("the history has every day of its range, even empty ones, and averages over all of them", async () => {
  const { user, token } = await seedMember(api.deps);
  await post(user.id, CAMPAIGN_RULE, 1000, "2026-11-13T23:59:59.999Z");
  await post(user.id, HEARTBEAT_RULE, 25, "2026-11-14T00:00:00.000Z");
  await post(user.id, GENESIS_RULE, 2.5, "2026-11-17T12:00:00.000Z");
  await post(user.id, CAMPAIGN_RULE, 5.25, "2026-11-17T13:00:00.000Z");
  await post(user.id, JOINED_RULE, 10, "2026-11-20T11:00:00.000Z");
  const empty = { connectivity: 0, referral: 0, rewards: 0, total: 0 };

  expect(await api.read(readPointsHistory, { token, query: { range: "last7days" } })).toEqual({
    success: true,
    range: "last7days",
    totalEntries: 4,
    pointsTotal: 42.75,
    history: {
      average: 6.11,
      data: [
        { ...empty, date: "2026-11-14", connectivity: 25, total: 25 },
        { ...empty, date: "2026-11-15" },
        { ...empty, date: "2026-11-16" },
        { ...empty, date: "2026-11-17", rewards: 5.25, total: 7.75 },
        { ...empty, date: "2026-11-18" },
        { ...empty, date: "2026-11-19" },
        { ...empty, date: "2026-11-20", referral: 10, total: 10 },
      ],
    },
  });
});

// specification: 3.44
test.each([
  ["last7days", 7, "2026-11-14", 1],
  ["last30days", 30, "2026-10-22", 2],
  ["last90days", 90, "2026-08-23", 3],
] as const)("%s has %i days and starts on %s", async (range, length, first, entries) => {
  const { user, token } = await seedMember(api.deps);
  for (const day of ["2026-11-14", "2026-10-22", "2026-08-23", "2026-08-22"]) {
    await post(user.id, HEARTBEAT_RULE, 25, `${day}T00:00:00.000Z`);
  }

  const { history, pointsTotal, totalEntries } = await api.read(readPointsHistory, { token, query: { range } });

  expect(history.data).toHaveLength(length);
  expect([history.data[0]?.date, history.data.at(-1)?.date]).toEqual([first, "2026-11-20"]);
  expect({ pointsTotal, totalEntries }).toEqual({ pointsTotal: 25 * entries, totalEntries: entries });
});

// specification: 5.20
test.each(["", "last8days", "all"])("the range %j is refused", async (range) => {
  const { token } = await seedMember(api.deps);

  const { status, body } = await api.call(readPointsHistory, { token, query: { range } });

  expect(status).toBe(400);
  expect(body).toMatchObject({ error: "VALIDATION_ERROR", fields: { range: expect.any(Array) } });
});

test("a history includes both its first and its last day", async () => {
  const { user, token } = await seedMember(api.deps);
  for (const day of ["2026-10-01", "2026-10-02", "2026-10-04", "2026-10-05"]) {
    await post(user.id, HEARTBEAT_RULE, 25, `${day}T23:59:59.999Z`);
  }
  const between = async (startDate: string, endDate: string) => {
    const { history, pointsTotal, range } = await api.read(readPointsHistory, { token, query: { startDate, endDate } });
    return { range, pointsTotal, average: history.average, days: history.data.map(({ total }) => total) };
  };

  expect(await between("2026-10-02", "2026-10-04")).toEqual({
    range: "2026-10-02/2026-10-04",
    pointsTotal: 50,
    average: 16.67,
    days: [25, 0, 25],
  });
  expect((await between("2026-10-05", "2026-10-05")).days).toEqual([25]);
  expect((await between("2025-10-05", "2026-10-05")).days).toHaveLength(366);
});

test.each([
  [{ startDate: "2026-10-02" }, "range"],
  [{ endDate: "2026-10-02" }, "range"],
  [{ range: "last7days", startDate: "2026-10-01", endDate: "2026-10-02" }, "range"],
  [{ startDate: "2026-10-03", endDate: "2026-10-02" }, "endDate"],
  [{ startDate: "2025-10-04", endDate: "2026-10-05" }, "startDate"],
  [{ startDate: "2026-02-30", endDate: "2026-10-05" }, "startDate"],
])("a history for %o is rejected with an error on %s", async (query, field) => {
  const { token } = await seedMember(api.deps);
  const { status, body } = await api.call(readPointsHistory, { token, query });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: "VALIDATION_ERROR", fields: { [field]: expect.any(Array) } });
});
