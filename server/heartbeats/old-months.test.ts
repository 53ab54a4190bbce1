import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { BEAT_SETTINGS, createBeat } from "../../tests/support/seeds/beats.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { exportData, DataExport } from "../account-data/contract.ts";
import { OPERATOR } from "../administration/actor.ts";
import { addMonthsAhead, listMonths } from "../db/months.ts";
import { heartbeatMonths, heartbeats, heartbeatTotals } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { checkLedger, rebuildLedger } from "../points/ledger/rebuild.ts";
import { readStats } from "../points/service.ts";
import { readUptime, sendHeartbeats } from "./contract.ts";
import { removeOldMonths, rotateMonths } from "../months/old-months.ts";
import { sumUpMonth } from "../months/old-months.queries.ts";
import { retryWhileLocked } from "../months/retry-while-locked.ts";
import { HEARTBEATS } from "./monthly.ts";

const { api, clock } = await openTestApi({ env: { ...BEAT_SETTINGS, heartbeatRetentionMonths: 13 } });
const { db } = api.deps;

const beat = createBeat(db, clock.now);
const OLD = ["2025-08-31T23:59:00Z", "2025-09-01T00:00:00Z", "2025-09-30T23:59:59Z"];
const KEPT = ["2025-10-01T00:00:00Z", "2026-11-01T00:00:00Z"];
const countBefore = (at: string) => db.$count(heartbeats, sql`slot_at < ${at}::timestamptz`);
const findTable = async (name: string) => (await db.execute(sql`select to_regclass(${name}) as there`)).rows[0]?.there;
const removeOld = () => retryWhileLocked(() => removeOldMonths({ db, now: clock.now }, HEARTBEATS, 13));
const nameMonths = async () => (await listMonths(db, "heartbeats")).map(({ name }) => name);

test("old heartbeats are removed by month, and their sums stay", async () => {
  const { token, user } = await seedMember(api.deps);
  const silent = await seedMember(api.deps);
  await beat(user.id, [...OLD, ...KEPT]);
  await beat(silent.user.id, OLD);
  const before = await Promise.all([user, silent.user].map(({ id }) => readStats(api.deps, id)));

  // Retries, because months are not rotated while the table is in use, as on a busy machine.
  const turn = async () => {
    await rotateMonths(api.deps, HEARTBEATS, 13);
    return findTable("heartbeats_2025_09");
  };
  await expect.poll(turn, { timeout: 60_000 }).toBeNull();
  expect(await countBefore("2025-10-01")).toBe(0);
  expect(await db.$count(heartbeats)).toBe(KEPT.length);
  expect((await nameMonths()).filter((name) => name < "heartbeats_2025_10")).toEqual([]);
  expect(await nameMonths()).toContain("heartbeats_2025_10");
  expect(await checkLedger(db)).toEqual([]);
  expect(await Promise.all([user, silent.user].map(({ id }) => readStats(api.deps, id)))).toEqual(before);
  expect(await db.$count(heartbeatMonths)).toBe(4);

  const file = await api.fetch(
    new Request(`http://api.test${exportData.path}`, { headers: { Authorization: `Bearer ${token}` } }),
  );
  const { heartbeat_months: months, heartbeats: kept } = DataExport.parse(await file.json());
  expect(kept).toHaveLength(2);
  expect(months).toMatchObject([
    { month: "2025-08-01", heartbeats: 1 },
    { month: "2025-09-01", heartbeats: 2, last_beat_at: "2025-09-30T23:59:59+00:00" },
  ]);
  await rotateMonths(api.deps, HEARTBEATS, 13);
  expect(await checkLedger(db)).toEqual([]);
});

test("a node silent since before the kept months has missed its week, and its last beat is still known", async () => {
  const { token, user } = await seedMember(api.deps);
  const other = await seedMember(api.deps);
  await beat(user.id, OLD);
  await beat(other.user.id, KEPT);
  expect(await removeOld()).toHaveLength(2);
  const { lastBeat, percent, slots } = await api.read(readUptime, { token, query: { range: "last7days" } });
  expect(lastBeat).toEqual({ at: "2025-09-30T23:59:59.000Z", device: null });
  expect([percent, slots.filter((state) => state === "before")]).toEqual([0, []]);
  const newcomer = await seedMember(api.deps);
  const theirs = await api.read(readUptime, { token: newcomer.token, query: { range: "last7days" } });
  expect(theirs).toMatchObject({ lastBeat: null, percent: null });
});

test("repairing wrong sums includes the months that were removed", async () => {
  const { user } = await seedMember(api.deps);
  await beat(user.id, [...OLD, ...KEPT]);
  await removeOld();
  const [right] = await db.select().from(heartbeatTotals);
  await db.update(heartbeatTotals).set({ heartbeats: 1, lastBeatAt: null });
  expect(await rebuildLedger(api.deps, { actor: OPERATOR, reason: "Test" })).toHaveLength(1);
  expect(await db.select().from(heartbeatTotals)).toEqual([right]);
});

test("an interrupted removal is resumed, and every beat counts once throughout", async () => {
  const { user } = await seedMember(api.deps);
  await beat(user.id, [...OLD, ...KEPT]);
  const months = await listMonths(db, "heartbeats");
  for (const month of months.filter(({ name }) => /2025_0[89]/.test(name))) {
    await inTransaction(db, (tx) => sumUpMonth(tx, HEARTBEATS, month));
    expect(await checkLedger(db)).toEqual([]);
  }
  await db.execute(sql`alter table heartbeats detach partition heartbeats_2025_08`);
  expect(await checkLedger(db)).toEqual([]);
  expect(await removeOld()).toEqual(["heartbeats_2025_08", "heartbeats_2025_09"]);
  expect(await checkLedger(db)).toEqual([]);
  expect(await db.$count(heartbeatMonths)).toBe(2);
});

test("a beat for a removed month is refused", async () => {
  const { user } = await seedMember(api.deps);
  await beat(user.id, [...OLD, ...KEPT]);
  await removeOld();
  await expect(beat(user.id, ["2025-09-12T00:00:00Z"])).rejects.toMatchObject({ cause: { code: "23514" } });
  expect(await checkLedger(db)).toEqual([]);
});

test("a clock that is far ahead removes no month that still receives beats", async () => {
  const { token, user } = await seedMember(api.deps);
  await beat(user.id, KEPT);
  const ahead = { ...api.deps, now: () => new Date("2028-02-01T00:00:00Z") };
  await rotateMonths(ahead, HEARTBEATS, 13);
  expect(await nameMonths()).toEqual(expect.arrayContaining(["heartbeats_2025_10", "heartbeats_2026_11"]));
  const beats = [{ timestamp: clock.now().toISOString() }];
  expect(await api.read(sendHeartbeats, { token, body: { beats } })).toMatchObject({ accepted: 1 });
});

test("a clock that is far ahead removes no month of a network without beats", async () => {
  const { token } = await seedMember(api.deps);
  await addMonthsAhead(db, "heartbeats", clock.now());
  const ahead = { ...api.deps, now: () => new Date("2028-02-01T00:00:00Z") };
  await rotateMonths(ahead, HEARTBEATS, 13);
  const beats = [{ timestamp: clock.now().toISOString() }];
  expect(await api.read(sendHeartbeats, { token, body: { beats } })).toMatchObject({ accepted: 1 });
});
