import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { inTransaction } from "../db/transaction.ts";
import { readDevices, readUptime, registerDevice, sendHeartbeats, type SlotState } from "./contract.ts";
import { countBeats } from "./service.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = "2026-11-20T12:07:00.000Z";

const database = await createTestDatabase();
const clock = createTestClock(NOW);
const apiFor = (heartbeatIntervalSeconds: number) =>
  createTestApi(database, { now: clock.now, env: { heartbeatIntervalSeconds, pointsPerHeartbeat: 25 } });
const api = apiFor(900);
beforeEach(() => database.reset());
afterAll(() => database.close());

/** Records heartbeats of any age, at an interval of 15 minutes unless given. */
const beat = (userId: string, times: string[], heartbeatIntervalSeconds = 900) =>
  inTransaction(database.db, (tx) =>
    countBeats(
      tx,
      times.map((time) => ({ userId, beatAt: new Date(time), receivedAt: clock.now() })),
      { heartbeatIntervalSeconds, pointsPerHeartbeat: 25 },
    ),
  );

const ago = (milliseconds: number) => new Date(Date.parse(NOW) - milliseconds).toISOString();
const day = (token: string, of = api) => of.read(readUptime, { token, query: { range: "last24hours" } });
const countOf = (slots: SlotState[], state: SlotState) => slots.filter((each) => each === state).length;

test("a member whose node never sent a beat has an empty strip and no uptime", async () => {
  const { token } = await seedMember(api.deps);
  const uptime = await day(token);
  expect(uptime).toMatchObject({ range: "last24hours", slotSeconds: 900, percent: null, longestGap: null });
  expect(uptime).toMatchObject({ from: "2026-11-19T12:15:00.000Z", to: "2026-11-20T12:15:00.000Z", lastBeat: null });
  expect(uptime.slots).toEqual(Array.from({ length: 96 }, () => "before"));
});

test("each quarter of an hour is a beat, missed, before the first beat, or pending", async () => {
  const { token, user } = await seedMember(api.deps);
  await beat(user.id, ["2026-11-20T10:59:59.999Z", "2026-11-20T11:00:00.000Z", "2026-11-20T11:45:00.000Z"]);
  const { slots, percent, longestGap, lastBeat } = await day(token);
  expect(slots.slice(-7)).toEqual(["before", "beat", "beat", "missed", "missed", "beat", "pending"]);
  expect(countOf(slots, "before")).toBe(90);
  expect(percent).toBe(60);
  expect(longestGap).toEqual({ from: "2026-11-20T11:15:00.000Z", to: "2026-11-20T11:45:00.000Z" });
  expect(lastBeat).toEqual({ at: "2026-11-20T11:45:00.000Z", device: null });

  await beat(user.id, [NOW]);
  const filled = await day(token);
  expect(filled.slots.at(-1)).toBe("beat");
  expect(filled.percent).toBe(66.66);
});

test("of two equally long gaps, the later one is reported as the longest", async () => {
  const { token, user } = await seedMember(api.deps);
  await beat(user.id, ["2026-11-20T10:45:00Z", "2026-11-20T11:15:00Z", "2026-11-20T11:45:00Z"]);
  const { longestGap } = await day(token);
  expect(longestGap).toEqual({ from: "2026-11-20T11:30:00.000Z", to: "2026-11-20T11:45:00.000Z" });
});

test("a node that was silent for longer than the range has missed all of it", async () => {
  const { token, user } = await seedMember(api.deps);
  await beat(user.id, [ago(9 * 24 * HOUR)]);
  const week = await api.read(readUptime, { token, query: { range: "last7days" } });
  expect(week.slots).toHaveLength(672);
  expect(countOf(week.slots, "missed")).toBe(671);
  expect(week).toMatchObject({ percent: 0, lastBeat: { at: ago(9 * 24 * HOUR) } });
  expect(week.longestGap).toEqual({ from: week.from, to: "2026-11-20T12:00:00.000Z" });
});

test.each([
  ["seconds", 15],
  ["an uneven number of seconds", 7],
])("with an interval of %s, any beat fills a slot that could hold many", async (_, interval) => {
  const { token, user } = await seedMember(api.deps);
  const times = ["2026-11-20T11:17:00Z", "2026-11-20T11:17:30Z", "2026-11-20T11:58:00Z"];
  await beat(user.id, times, interval);
  const { slots } = await day(token, apiFor(interval));
  expect(slots.slice(-5)).toEqual(["before", "beat", "missed", "beat", "pending"]);
});

test("with an interval of an hour a beat fills the four slots of its hour", async () => {
  const { token, user } = await seedMember(api.deps);
  await beat(user.id, ["2026-11-20T09:50:00Z", "2026-11-20T11:20:00Z"], 3600);
  const { slots, percent } = await day(token, apiFor(3600));
  const filled = Array.from({ length: 4 }, () => "beat");
  expect(slots.slice(-13)).toEqual([...filled, "missed", "missed", "missed", "missed", ...filled, "pending"]);
  expect(percent).toBe(66.66);
});

test("nothing of the current interval is missed, because its beat may still come", async () => {
  const { token, user } = await seedMember(api.deps);
  await beat(user.id, ["2026-11-20T07:50:00Z"], 8 * 3600);
  const { slots, percent, longestGap } = await day(token, apiFor(8 * 3600));
  // The slots from 08:00 until now.
  expect(slots.slice(-18)).toEqual(["beat", ...Array.from({ length: 17 }, () => "pending")]);
  expect([percent, longestGap]).toEqual([100, null]);
});

test("the share of filled slots is exact to two decimals", async () => {
  const { token, user } = await seedMember(api.deps);
  const times = Array.from({ length: 57 }, (_, index) => ago((100 - index) * 15 * MINUTE));
  await beat(user.id, times);
  expect((await api.read(readUptime, { token, query: { range: "last7days" } })).percent).toBe(57);
});

test("the strip works after 19 January 2038, when seconds since 1970 need more than 32 bits", async () => {
  const { now } = createTestClock("2040-06-15T12:07:00.000Z");
  const later = createTestApi(database, { now, env: { heartbeatIntervalSeconds: 900, pointsPerHeartbeat: 25 } });
  const { token, user } = await seedMember(later.deps);
  await beat(user.id, ["2040-06-15T11:45:00.000Z"]);
  expect((await day(token, later)).slots.slice(-3)).toEqual(["before", "beat", "pending"]);
});

test("a member's strip has none of another member's beats", async () => {
  const { user } = await seedMember(api.deps);
  const stranger = await seedMember(api.deps);
  await beat(user.id, [NOW]);
  expect(await day(stranger.token)).toMatchObject({ percent: null, lastBeat: null });
});

test("returns the last beat with its machine, and the last beat of each machine", async () => {
  const { token, user } = await seedMember(api.deps);
  const attic = await api.read(registerDevice, { token, body: { name: "attic" } });
  const { deviceId } = await api.read(registerDevice, { token, body: { name: "cellar" } });
  // The cellar's heartbeat is too old.
  const old = { userId: user.id, beatAt: new Date(ago(8 * 24 * HOUR)), receivedAt: clock.now(), deviceId };
  await inTransaction(database.db, (tx) => countBeats(tx, [old], api.deps.env));
  const beats = [{ timestamp: ago(20 * MINUTE) }, { timestamp: NOW }];
  await api.read(sendHeartbeats, { token: attic.deviceKey, body: { beats } });

  expect((await day(token)).lastBeat).toEqual({ at: NOW, device: "attic" });
  const { devices } = await api.read(readDevices, { token });
  expect(devices).toMatchObject([
    { name: "cellar", lastBeatAt: null },
    { name: "attic", lastBeatAt: NOW },
  ]);
});

test("the last beat of a machine is known even if another machine fills each slot first", async () => {
  const { token } = await seedMember(api.deps);
  const attic = await api.read(registerDevice, { token, body: { name: "attic" } });
  const cellar = await api.read(registerDevice, { token, body: { name: "cellar" } });
  const send = (deviceKey: string, ...times: string[]) =>
    api.read(sendHeartbeats, { token: deviceKey, body: { beats: times.map((timestamp) => ({ timestamp })) } });
  const lastBeats = async () => {
    const { devices } = await api.read(readDevices, { token });
    return devices.map(({ name, lastBeatAt }) => [name, lastBeatAt]);
  };
  const early = ago(16 * MINUTE);
  await send(attic.deviceKey, early);
  await send(cellar.deviceKey, ago(15.5 * MINUTE), ago(15 * MINUTE));
  expect(await lastBeats()).toEqual([
    ["cellar", ago(15 * MINUTE)],
    ["attic", early],
  ]);

  // Sending one again, or out of order, does not change that.
  await send(cellar.deviceKey, ago(15.5 * MINUTE));
  expect(await lastBeats()).toContainEqual(["cellar", ago(15 * MINUTE)]);

  await database.pool.query("update node_devices set last_spare_beat_at = '2026-11-13T12:06:59Z'");
  expect(await lastBeats()).toContainEqual(["cellar", null]);
  await send(cellar.deviceKey, NOW);
  expect(await lastBeats()).toContainEqual(["cellar", NOW]);
});

test("rejects an unknown range", async () => {
  const { token } = await seedMember(api.deps);
  expect((await api.call(readUptime, { token, query: { range: "last90days" } })).status).toBe(400);
});
