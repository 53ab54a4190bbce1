import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { sumPoints } from "../amount.ts";
import { readPointsLog, type PointsLogEntry } from "../contract.ts";
import { postPoints, type PointsEntry } from "../service.ts";
import { HEARTBEAT_RULE } from "../../heartbeats/earning.ts";
import { CONTENT_RULE } from "../../agent-insights/earning.ts";
import { CLAIMED_RULE } from "../../referrals/earning.ts";
import { CAMPAIGN_RULE } from "../../rewards/earning.ts";

const database = await createTestDatabase();
const clock = createTestClock("2026-11-20T12:00:00.000Z");
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const HOUR = 60 * 60 * 1000;
/** 1,200 entries, one every 5 hours, every fourth a reward. Newest first, as the log shows them. */
const entries = Array.from({ length: 1200 }, (_, index): Omit<PointsEntry, "userId"> => {
  const occurredAt = new Date(clock.now().getTime() - index * 5 * HOUR);
  const rule = index % 4 === 0 ? CAMPAIGN_RULE : HEARTBEAT_RULE;
  return { rule, sourceId: occurredAt.toISOString(), points: index + 0.25, comment: `Event ${index}`, occurredAt };
});
const log = entries.map(({ rule, points, comment, occurredAt }): PointsLogEntry => ({
  id: expect.any(String),
  category: rule.category,
  points,
  comment,
  timestamp: occurredAt.toISOString(),
}));

let token = "";
beforeAll(async () => {
  const [member, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  token = member.token;
  await inTransaction(database.db, async (tx) => {
    await postPoints(tx, entries.map((entry) => Object.assign({ userId: member.user.id }, entry)).toReversed());
    await postPoints(
      tx,
      entries.slice(0, 50).map((entry) => Object.assign({ userId: other.user.id }, entry)),
    );
  });
});

/** The expected response for these entries: one page of them, with the count and sum of all. */
const pageOf = (found: PointsLogEntry[], from = 0, limit = 10) => ({
  data: found.slice(from, from + limit),
  total: found.length,
  pointsTotal: sumPoints(found.map(({ points }) => points)),
});

type Query = Record<string, string | number>;
const read = (query: Query = {}) => api.read(readPointsLog, { token, query });

// specification: 3.41, 3.42, 5.19, 7.21
test("the first page has the ten newest entries", async () => {
  expect(await read()).toEqual(pageOf(log));
});

// specification: 3.41
test("an entry has its category, one of four, its points, its comment and its time", async () => {
  const { user, token: own } = await seedMember(api.deps);
  const rules = [HEARTBEAT_RULE, CLAIMED_RULE, CAMPAIGN_RULE, CONTENT_RULE];
  const occurredAt = clock.now();
  const posted = rules.map((rule, index) => ({
    rule,
    sourceId: occurredAt.toISOString(),
    points: 1.25 + index,
    comment: "Why",
    occurredAt,
  }));
  await inTransaction(database.db, (tx) =>
    postPoints(
      tx,
      posted.map((entry) => Object.assign({ userId: user.id }, entry)),
    ),
  );
  const { data } = await api.read(readPointsLog, { token: own, query: {} });
  const rest = { id: expect.any(String), comment: "Why", timestamp: "2026-11-20T12:00:00.000Z" };
  expect(data.toSorted((one, other) => one.points - other.points)).toEqual([
    { category: "Connectivity", points: 1.25, ...rest },
    { category: "Referral", points: 2.25, ...rest },
    { category: "Rewards", points: 3.25, ...rest },
    { category: "Others", points: 4.25, ...rest },
  ]);
});

test.each([
  [2, 10],
  [21, 10],
  [22, 10],
  [61, 10],
  [120, 10],
  [3, 100],
  [12, 100],
  [1200, 1],
  [171, 7],
  [172, 7],
])("page %i with %i entries per page is the right part of the log", async (page, limit) => {
  const from = (page - 1) * limit;
  expect(await read({ page, limit })).toEqual(pageOf(log, from, limit));
});

test.each([[121], [1_000_000]])("page %i, past the end, is empty but has the total", async (page) => {
  expect(await read({ page })).toEqual(pageOf(log, Infinity));
});

// specification: 5.19
test("a category has its own pages and total", async () => {
  const rewards = log.filter(({ category }) => category === "Rewards");
  expect(await read({ category: "Rewards", page: 1 })).toEqual(pageOf(rewards));
  expect(await read({ category: "Rewards", page: 25 })).toEqual(pageOf(rewards, 240));
  expect(await read({ category: "Others" })).toEqual(pageOf([]));
});

const between = (from: string, to: string, category?: string) =>
  log.filter((entry) => entry.timestamp >= from && entry.timestamp <= to && (!category || entry.category === category));

// specification: 5.19
test.each([
  ["a day", "2026-11-18", "2026-11-18", "2026-11-18T00:00:00.000Z", "2026-11-18T23:59:59.999Z"],
  ["two months", "2026-08-01", "2026-09-30", "2026-08-01T00:00:00.000Z", "2026-09-30T23:59:59.999Z"],
  [
    "instants",
    "2026-08-01T05:00:00Z",
    "2026-09-30T17:00:00.000Z",
    "2026-08-01T05:00:00.000Z",
    "2026-09-30T17:00:00.000Z",
  ],
  [
    "a zone",
    "2026-10-01T02:00:00+02:00",
    "2026-10-02T02:00:00+02:00",
    "2026-10-01T00:00:00.000Z",
    "2026-10-02T00:00:00.000Z",
  ],
  [
    "hours of a day",
    "2026-11-18T04:00:00Z",
    "2026-11-18T20:00:00Z",
    "2026-11-18T04:00:00.000Z",
    "2026-11-18T20:00:00.000Z",
  ],
])("both ends of the range are included: %s", async (_, startDate, endDate, from, to) => {
  const expected = between(from, to);
  expect(expected.length).toBeGreaterThan(0);
  expect(await read({ startDate, endDate, limit: 100 })).toEqual(pageOf(expected, 0, 100));

  const last = Math.ceil(expected.length / 3);
  expect(await read({ startDate, endDate, limit: 3, page: last })).toEqual(pageOf(expected, (last - 1) * 3, 3));
});

test("an entry exactly at the start or the end of the range is included", async () => {
  const { timestamp = "" } = log[700] ?? {};
  expect(await read({ startDate: timestamp, endDate: timestamp })).toEqual(pageOf(log.slice(700, 701)));
});

test("deep pages of a range between instants skip exactly the newer entries", async () => {
  const expected = between("2026-04-10T08:30:00.000Z", "2026-11-02T10:15:00.000Z", "Connectivity");
  const query = { category: "Connectivity", startDate: "2026-04-10T08:30:00Z", endDate: "2026-11-02T10:15:00Z" };
  for (const page of [1, 21, 22, 45, 60]) {
    expect(await read({ ...query, page })).toEqual(pageOf(expected, (page - 1) * 10));
  }
});

test("a range may have only a start or only an end", async () => {
  const since = between("2026-11-19T00:00:00.000Z", "9999");
  const until = between("0000", "2026-05-01T23:59:59.999Z");
  expect(await read({ startDate: "2026-11-19" })).toEqual(pageOf(since));
  expect(await read({ endDate: "2026-05-01" })).toEqual(pageOf(until));
});

test.each([
  ["2026-11-20", "2026-11-19", 0],
  ["2027-01-01", "2027-12-31", 0],
  ["0000-01-01", "9999-12-31", 1200],
  ["0000-01-01", "0000-12-31", 0],
  ["9999-12-31", "9999-12-31", 0],
])("from %s to %s there are %i entries", async (startDate, endDate, total) => {
  expect((await read({ startDate, endDate })).total).toBe(total);
});

// specification: 5.19
test.each([
  ["page", "0"],
  ["page", "1.5"],
  ["page", "1000001"],
  ["limit", "0"],
  ["limit", "101"],
  ["limit", "ten"],
  ["category", "connectivity"],
  ["startDate", "2026-02-30"],
  ["endDate", "yesterday"],
])("%s=%s is refused", async (name, value) => {
  const { status, body } = await api.call(readPointsLog, { token, query: { [name]: value } });

  expect(status).toBe(400);
  expect(body).toMatchObject({ error: "VALIDATION_ERROR", fields: { [name]: expect.any(Array) } });
});

test("entries of the same millisecond keep their order across pages", async () => {
  const { user, token } = await seedMember(api.deps);
  const same = Array.from({ length: 250 }, (_, index) => ({
    userId: user.id,
    rule: CAMPAIGN_RULE,
    sourceId: `same ${index}`,
    points: 1,
    comment: `Same ${index}`,
    occurredAt: clock.now(),
  }));
  await inTransaction(database.db, (tx) => postPoints(tx, same));

  const pages = [];
  for (let page = 1; page <= 25; page++) pages.push(await api.read(readPointsLog, { token, query: { page } }));

  expect(new Set(pages.flatMap(({ data }) => data.map(({ comment }) => comment))).size).toBe(250);
});
