import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../../tests/support/api/api.ts";
import { BEAT_SETTINGS, createBeat } from "../../../tests/support/seeds/beats.ts";
import { listIndexes } from "../../../tests/support/database/list-indexes.ts";
import { openTestDatabase } from "../../../tests/support/database/test-database.ts";
import { describeAnonymising } from "../../account-data/erase.queries.ts";
import { OPERATOR } from "../../administration/actor.ts";
import { addMonth, isPartitioned, listMonths } from "../../db/months.ts";
import { inTransaction } from "../../db/transaction.ts";
import { EARNING_RULES } from "../../earning-rules.ts";
import type { Deps } from "../../deps.ts";
import { HEARTBEAT_RULE } from "../../heartbeats/earning.ts";
import { countBeats } from "../../heartbeats/service.ts";
import { partitionTable } from "../../months/partition.ts";
import { removeOldMonths, rotateMonths } from "../../months/old-months.ts";
import { detachMonth, sumUpMonth } from "../../months/old-months.queries.ts";
import { retryWhileLocked } from "../../months/retry-while-locked.ts";
import { JOINED_RULE } from "../../referrals/earning.ts";
import { CAMPAIGN_RULE } from "../../rewards/earning.ts";
import { exportPointsLog, readStats, type PointsCategory } from "../contract.ts";
import { findPage } from "../log/log.queries.ts";
import { toLogRange } from "../log/log-range.ts";
import { postPoints } from "../service.ts";
import { CATEGORY_BY_MONTH } from "./listed.queries.ts";
import { LEDGER } from "./monthly.ts";
import { readAllPoints } from "./read-all.fixture.ts";
import { checkLedger, rebuildLedger } from "./rebuild.ts";

const database = await openTestDatabase();
const { db } = database;
const clock = createTestClock("2026-11-20T12:00:00.000Z");
const api = createTestApi(database, { now: clock.now, env: BEAT_SETTINGS });
const ACT = { actor: OPERATOR, reason: "A test" };
const PATIENTLY = { timeout: 60_000 };
afterAll(() => database.close());

const beat = createBeat(db, clock.now);
const post = (entry: Parameters<typeof postPoints>[1][number]) => inTransaction(db, (tx) => postPoints(tx, [entry]));
const reward = (userId: string, sourceId: string, occurredAt: string, points = 250) =>
  post({ userId, rule: CAMPAIGN_RULE, sourceId, points, comment: sourceId, occurredAt: new Date(occurredAt) });

function postBeat(sourceId: string, at: string, { userId } = member) {
  return post({ userId, rule: HEARTBEAT_RULE, sourceId, points: 25, comment: "Beat", occurredAt: new Date(at) });
}

/**
 * Creates a member with heartbeats at the edges of months and other events between them, some named like a heartbeat.
 */
async function seedHistory(year: number) {
  const { token, user } = await seedMember(api.deps);
  const [before, at] = [year - 1, year];
  await beat(user.id, [`${before}-12-31T23:59:00Z`, `${at}-01-01T00:00:00Z`, `${at}-01-31T23:59:59Z`]);
  await beat(user.id, [`${at}-02-01T00:00:00Z`, `${at}-02-14T10:00:00Z`, `${at}-02-14T18:00:00Z`]);
  await beat(user.id, [`${at}-01-15T11:00:00Z`]);
  await reward(user.id, `${at}-02-14T00:00:00.000Z`, `${at}-02-14T12:00:00Z`);
  await beat(user.id, [`${at}-06-20T11:00:00Z`, `${at}-06-20T11:30:00Z`]);
  await reward(user.id, "follow", `${at}-01-15T12:00:00Z`, 10.25);
  const joined = { rule: JOINED_RULE, sourceId: "friend", points: 1000, comment: "Joined" };
  await post({ ...joined, userId: user.id, occurredAt: new Date(`${at}-06-20T12:00:00Z`) });
  return { token, userId: user.id };
}

const readAll = ({ token }: { token: string }) => readAllPoints(api, token);

let member: Awaited<ReturnType<typeof seedHistory>>;
let before: Awaited<ReturnType<typeof readAll>>;
let indexes: string[];
beforeAll(async () => {
  member = await seedHistory(2026);
  before = await readAll(member);
  indexes = await listIndexes(db, "points_ledger");
  await partitionTable(api.deps, ACT, LEDGER);
});

const nameParts = async () =>
  (
    await db.execute<{ name: string }>(
      sql`select relname as name from pg_inherits join pg_class on oid = inhrelid where inhparent = 'points_ledger'::regclass`,
    )
  ).rows.map(({ name }) => name);

test("a partitioned ledger returns the same as it did in one table", async () => {
  expect(await isPartitioned(db, "points_ledger")).toBe(true);
  expect(before.details).toHaveLength(12);
  expect(await readAll(member)).toEqual(before);
  expect(await checkLedger(db)).toEqual([]);
});

test("a partitioned ledger keeps its indexes", async () => {
  expect(indexes).toHaveLength(4);
  expect(await listIndexes(db, "points_ledger")).toEqual(indexes);
});

test("stores heartbeats in the month of their slot, and all other entries in permanent partitions", async () => {
  const { rows } = await db.execute(sql`
    select tableoid::regclass::text as part, array_agg(distinct source) as sources from points_ledger
    where user_id = ${member.userId} group by 1 order by 1`);
  const heartbeat = { sources: ["heartbeat"] };
  expect(rows).toEqual([
    { part: "points_ledger_2025_12", ...heartbeat },
    { part: "points_ledger_2026_01", ...heartbeat },
    { part: "points_ledger_2026_02", ...heartbeat },
    { part: "points_ledger_2026_06", ...heartbeat },
    { part: "points_ledger_rest_1", sources: ["campaign"] },
    { part: "points_ledger_rest_2", sources: ["referral"] },
  ]);
});

test("an event counts once across all partitions, even if posted concurrently, and creates a missing month", async () => {
  const { user } = await seedMember(api.deps);
  const times = ["2031-03-31T23:59:00Z", "2031-04-01T00:00:00Z"];
  const counts = await Promise.all([1, 2, 3].map(() => beat(user.id, times)));
  expect(counts.filter(Boolean)).toEqual([2]);
  const posted = await Promise.all([1, 2, 3].map(() => reward(user.id, "follow", "2031-03-31T12:00:00Z")));
  expect(posted.flat()).toHaveLength(1);
  expect((await listMonths(db, "points_ledger")).map(({ name }) => name)).toContain("points_ledger_2031_04");
  expect(await checkLedger(db)).toEqual([]);
});

test("the database refuses a heartbeat outside its slot, or with its slot in another format", async () => {
  const refused = { cause: { code: "23514", constraint: "points_ledger_slot" } };
  await expect(postBeat("2026-01-02T00:00:00.000Z", "2026-02-20T00:00:00Z")).rejects.toMatchObject(refused);
  await expect(postBeat("2026-01-02T00:00:00.000Z", "2026-01-01T23:59:00Z")).rejects.toMatchObject(refused);
  await expect(postBeat("2026-01-02 00:00:00+00", "2026-01-02T00:00:00Z")).rejects.toMatchObject(refused);
  await expect(postBeat("first", "2026-01-02T00:00:00Z")).rejects.toMatchObject({ cause: { code: "23514" } });
});

test("with an interval of a day, a beat counts until its end, even if the database's day has 23 hours", async () => {
  const { user } = await seedMember(api.deps);
  const last = { userId: user.id, beatAt: new Date("2026-03-29T23:59:59Z"), receivedAt: clock.now() };
  const counted = await inTransaction(db, async (tx) => {
    await tx.execute(sql`set local time zone 'Europe/Berlin'`);
    return countBeats(tx, [last], { ...BEAT_SETTINGS, heartbeatIntervalSeconds: 86_400 });
  });
  expect(counted).toBe(1);
});

test("every partition is append-only like the ledger, even a month that is created later", async () => {
  await addMonth(db, "points_ledger", new Date("2032-01-15"));
  await beat(member.userId, ["2032-01-20T00:00:00Z"]);
  const parts = await nameParts();
  expect(parts).toContain("points_ledger_2032_01");
  const refused = { cause: { message: expect.stringContaining("append-only") } };
  for (const part of ["points_ledger", ...parts]) {
    const table = sql.identifier(part);
    await expect(db.execute(sql`truncate ${table}`)).rejects.toMatchObject(refused);
    if ((await db.execute(sql`select from ${table} limit 1`)).rows.length === 0) continue;
    await expect(db.execute(sql`delete from ${table}`)).rejects.toMatchObject(refused);
    await expect(db.execute(sql`update ${table} set points = points * 2`)).rejects.toMatchObject(refused);
  }
});

const namePartsIn = (lines: string[]) => new Set(lines.map((line) => / on (points_ledger_\w+) /.exec(line)?.[1] ?? ""));

/** Returns the partitions in the plan of a page, and those that were actually read. */
async function findParts(query: { startDate?: string; endDate?: string; category?: PointsCategory }) {
  const range = toLogRange(query);
  const find = findPage({ category: query.category, hasEdges: (range?.edgeFrom.length ?? 0) > 0 });
  const { params, sql: text } = find(db).getQuery();
  const given: Record<string, unknown> = { userId: member.userId, limit: 10, offset: 0, ...range };
  const values = params.map((param) => given[(param as { name: string }).name]);
  const { rows } = await database.pool.query<Record<"QUERY PLAN", string>>(
    `explain (analyze, costs off, timing off) ${text}`,
    values,
  );
  const scans = rows.map((row) => row["QUERY PLAN"]).filter((line) => / on points_ledger_\w+ /.test(line));
  const touched = scans.filter((line) => !line.includes("never executed"));
  return { prepared: namePartsIn(scans), touched: namePartsIn(touched) };
}

const REST = ["points_ledger_rest_1", "points_ledger_rest_2"];

test("a page of a date range plans and reads only its months and the permanent partitions", async () => {
  const february = { startDate: "2026-02-02", endDate: "2026-02-20" };
  const parts = new Set(["points_ledger_2026_02", ...REST]);
  expect(await findParts(february)).toEqual({ prepared: parts, touched: parts });
  expect(await findParts({ ...february, category: "Connectivity" })).toEqual({ prepared: parts, touched: parts });
  // The range begins and ends within a day.
  const hours = { startDate: "2026-02-02T06:00:00Z", endDate: "2026-02-20T18:00:00Z" };
  expect(await findParts(hours)).toEqual({ prepared: parts, touched: parts });
  // The first day may have heartbeats of slots that began before it.
  const { touched } = await findParts({ startDate: "2026-02-01", endDate: "2026-02-20" });
  expect(touched).toEqual(new Set(["points_ledger_2026_01", "points_ledger_2026_02", ...REST]));
  expect((await findParts({})).touched.size).toBe((await nameParts()).length);
});

test("a page of a category without heartbeats reads no month, whatever its dates", async () => {
  const rest = new Set(REST);
  for (const category of ["Others", "Referral", "Rewards"] as const) {
    expect(await findParts({ category })).toEqual({ prepared: rest, touched: rest });
    expect(await findParts({ category, startDate: "2026-02-02T06:00:00Z" })).toEqual({ prepared: rest, touched: rest });
  }
  // Only one category is partitioned by month. A rule with another category would be missing there.
  const byMonth = EARNING_RULES.filter(({ source }) => source === "heartbeat");
  expect(byMonth.map(({ category }) => category)).toEqual([CATEGORY_BY_MONTH]);
});

test("anonymising a member who leaves reads no month", async () => {
  const { rows } = await db.execute<Record<"QUERY PLAN", string>>(
    sql`explain (costs off) ${describeAnonymising(member.userId)}`,
  );
  const lines = rows.map((row) => row["QUERY PLAN"]).filter((line) => / on points_ledger_\w+ /.test(line));
  expect(namePartsIn(lines)).toEqual(new Set(REST));
});

test("removing the heartbeats of old months leaves every sum as it was", async () => {
  const old = await seedHistory(2025);
  // A heartbeat whose slot is in December, on a day that also has a heartbeat of January.
  await postBeat("2024-12-31T20:00:00.000Z", "2025-01-01T01:00:00Z", old);
  // Another member with rows on those days, none of which is removed.
  const other = await seedMember(api.deps);
  for (const day of ["2025-01-01", "2025-01-15"]) await reward(other.user.id, day, `${day}T12:00:00Z`);
  const othersBefore = await readAll(other);
  const [all, { stats }] = [(await readAll(old)).details, await readAll(old)];
  const kept = all.filter(({ source, timestamp }) => source.kind !== "heartbeat" || timestamp >= "2025-02-01");
  const expectRight = async () => {
    expect(await checkLedger(db)).toEqual([]);
    expect(await api.read(readStats, { token: old.token })).toEqual(stats);
  };
  const [december, january] = await listMonths(db, "points_ledger");
  if (!december || !january) throw new Error("There are no months");

  // Checks after every step.
  for (const month of [december, january]) {
    await inTransaction(db, (tx) => sumUpMonth(tx, LEDGER, month));
    await expectRight();
    await inTransaction(db, (tx) => sumUpMonth(tx, LEDGER, month));
    await expectRight();
  }
  const summedUp = await readAll(old);
  await retryWhileLocked(async () => {
    const [first = december] = await listMonths(db, "points_ledger");
    await detachMonth(db, LEDGER, first);
  });
  await expectRight();
  const removed = await retryWhileLocked(() => removeOldMonths({ db, now: clock.now }, LEDGER, 21));
  expect(removed).toEqual([december.name, january.name]);
  await expectRight();
  const gone = await readAll(old);
  expect(gone).toEqual(summedUp);

  const [whole] = gone.pages;
  expect(whole).toMatchObject({ total: kept.length, heartbeatsSince: "2025-02-01T00:00:00.000Z" });
  expect(whole?.data.map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
  // The totals after each row are the same as before, because they include what was removed.
  const totals = (rows: typeof all) =>
    rows.map(({ categoryTotal, id, runningTotal }) => [id, runningTotal, categoryTotal]);
  expect(totals(gone.details)).toEqual(totals(kept));
  const [, ...lines] = gone.file;
  expect(lines.slice(0, kept.length).map((line) => Number(line.split(",").at(-1)))).toEqual(
    kept.map(({ runningTotal }) => runningTotal),
  );
  expect(lines.slice(kept.length)).toEqual([
    "2025-02-01T00:00:00.000Z,Connectivity,,Heartbeats before this time are no longer listed one by one. The running total still counts them.,heartbeat,,,,",
    "",
  ]);
  // A member who had no heartbeats sees nothing about them.
  expect(await readAll(other)).toEqual(othersBefore);
  const isExplained = async (query: Record<string, string>) =>
    String((await api.call(exportPointsLog, { token: old.token, query })).body).includes("no longer listed");
  expect(await isExplained({ startDate: "2025-01-31", category: "Connectivity" })).toBe(true);
  expect(await isExplained({ startDate: "2025-02-01" })).toBe(false);
  expect(await isExplained({ category: "Rewards" })).toBe(false);
  expect(await isExplained({ startDate: "2025-01-02", endDate: "2025-01-01" })).toBe(false);

  await db.execute(sql`update points_totals set connectivity = 1 where user_id = ${old.userId}`);
  await db.execute(sql`delete from points_daily where user_id = ${old.userId}`);
  await rebuildLedger(api.deps, ACT);
  await expectRight();
  // A removed month cannot be added again.
  await expect(beat(old.userId, ["2025-01-12T00:00:00Z"])).rejects.toMatchObject({ cause: { code: "23514" } });
});

async function turn(deps: Deps, months?: number) {
  await rotateMonths(deps, LEDGER, months);
  return nameParts();
}

test("housekeeping creates the ledger's coming months, and removes old ones only if configured", async () => {
  await beat(member.userId, ["2025-03-01T00:00:00Z"]);
  const first = async () => (await listMonths(db, "points_ledger"))[0]?.name;
  const later = { ...api.deps, now: () => new Date("2033-11-30T23:59:00Z") };
  // Retries, because months are not rotated while the table is in use, as on a busy machine.
  await expect.poll(() => turn(later), PATIENTLY).toContain("points_ledger_2034_02");
  expect(await first()).toBe("points_ledger_2025_02");
  await expect.poll(() => turn(api.deps, 18), PATIENTLY).not.toContain("points_ledger_2025_05");
  expect(await first()).toBe("points_ledger_2025_06");
  expect(await checkLedger(db)).toEqual([]);
});
