import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../db/transaction.ts";
import { readPointsLog, readStats } from "../points/contract.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { claimReward } from "../rewards/service.ts";
import { readSecurityActivity } from "../security-activity/service.ts";
import { readDevices, readHeartbeatStatus, registerDevice, revokeDevice, sendHeartbeats } from "./contract.ts";
import { countBeats } from "./service.ts";

const env = { heartbeatIntervalSeconds: 900, pointsPerHeartbeat: 25 };
const { api, clock, database } = await openTestApi({ env }, "2026-11-20T12:07:00.000Z");

const send = (token: string, ...timestamps: string[]) =>
  api.read(sendHeartbeats, { token, body: { beats: timestamps.map((timestamp) => ({ timestamp })) } });

const MINUTE = 60_000;
const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds).toISOString();

// specification: 0.2, 1.2
test("a beat counts, earns its points and shows in the stats and the log", async () => {
  const { token } = await seedMember(api.deps);

  expect(await send(token, "2026-11-20T12:05:30.250Z")).toEqual({
    accepted: 1,
    duplicates: 0,
    refused: [],
    intervalSeconds: 900,
    heartbeats: 1,
    pointsTotal: 25,
  });
  expect(await api.read(readStats, { token })).toMatchObject({
    heartbeats: 1,
    last_heartbeat_at: "2026-11-20T12:05:30.250Z",
    points_today: 25,
    points_total: 25,
  });
  expect(await api.read(readPointsLog, { token })).toMatchObject({
    data: [{ category: "Connectivity", points: 25, comment: "Heartbeat", timestamp: "2026-11-20T12:05:30.250Z" }],
    total: 1,
  });
});

test("a beat sent again, or another one in its slot, is a duplicate", async () => {
  const { token } = await seedMember(api.deps);
  await send(token, "2026-11-20T12:00:00.000Z");

  expect(await send(token, "2026-11-20T12:00:00.000Z")).toMatchObject({ accepted: 0, duplicates: 1, pointsTotal: 25 });
  expect(await send(token, "2026-11-20T14:06:59.999+02:00")).toMatchObject({ accepted: 0, duplicates: 1 });
  expect(await send(token, "2026-11-20T11:59:59.999Z")).toMatchObject({ accepted: 1, duplicates: 0, heartbeats: 2 });
});

test("a slot ends where the next begins, and the earlier of two beats in it counts", async () => {
  const { token } = await seedMember(api.deps);
  const times = ["2026-11-20T11:59:59.999Z", "2026-11-20T11:45:00.000Z", "2026-11-20T12:00:00.000Z"];

  expect(await send(token, ...times)).toMatchObject({ accepted: 2, duplicates: 1 });
  const { data } = await api.read(readPointsLog, { token });
  expect(data.map(({ timestamp }) => timestamp)).toEqual([times[2], times[1]]);
});

test("a batch counts once, even if it is sent several times concurrently", async () => {
  const { token } = await seedMember(api.deps);
  const batch = Array.from({ length: 300 }, (_, index) => ago(index * 15 * MINUTE));

  const results = await Promise.all(Array.from({ length: 5 }, () => send(token, ...batch)));

  expect(results.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(300);
  expect(results.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(1200);
  expect(await api.read(readStats, { token })).toMatchObject({ heartbeats: 300, points_total: 7500 });
  expect(await checkLedger(database.db)).toEqual([]);
});

test("overlapping batches in opposite orders fill each slot once", async () => {
  const { token } = await seedMember(api.deps);
  const slots = Array.from({ length: 60 }, (_, index) => ago(index * 15 * MINUTE));
  const batches = [slots, slots.toReversed(), slots.slice(20), slots.slice(0, 40).toReversed()];

  await Promise.all(batches.map((batch) => send(token, ...batch)));

  expect(await api.read(readStats, { token })).toMatchObject({ heartbeats: 60, points_total: 1500 });
});

test("concurrent requests of many members each get their own result", async () => {
  const members = [];
  for (let index = 0; index < 6; index += 1) members.push(await seedMember(api.deps));
  const [first] = members;
  const times = Array.from({ length: 6 }, (_, index) => ago(index * 15 * MINUTE));

  const results = await Promise.all([
    ...members.map(({ token }, index) => send(token, ...times.slice(0, index + 1))),
    ...members.map(({ token }) => send(token, ago(8 * 24 * 60 * MINUTE))),
    send(first?.token ?? "", ...times),
  ]);

  for (const [index, { accepted, duplicates, refused }] of results.slice(1, 6).entries()) {
    expect({ accepted, duplicates, refused }).toEqual({ accepted: index + 2, duplicates: 0, refused: [] });
  }
  for (const { accepted, refused } of results.slice(6, 12)) expect([accepted, refused.length]).toEqual([0, 1]);
  expect((results[0]?.accepted ?? 0) + (results[12]?.accepted ?? 0)).toBe(6);
  expect(results[12]).toMatchObject({ heartbeats: 6, pointsTotal: 150 });
  for (const [index, { token }] of members.slice(1).entries()) {
    expect(await api.read(readStats, { token })).toMatchObject({
      heartbeats: index + 2,
      points_total: (index + 2) * 25,
    });
  }
  expect(await checkLedger(database.db)).toEqual([]);
});

test("a burst within one slot earns one heartbeat", async () => {
  const { token } = await seedMember(api.deps);
  const burst = Array.from({ length: 400 }, (_, index) => ago(index * 1000));

  expect(await send(token, ...burst)).toMatchObject({ accepted: 1, duplicates: 399, heartbeats: 1 });
});

test.each([
  ["60 seconds ahead", -60_000],
  ["7 days old", 7 * 24 * 60 * MINUTE],
])("a beat %s counts", async (_, age) => {
  const { token } = await seedMember(api.deps);

  expect(await send(token, ago(age))).toMatchObject({ accepted: 1, refused: [] });
});

test.each([
  ["more than 60 seconds ahead", -60_001, "too_early", "in the future. Check the clock of this machine."],
  ["more than 7 days old", 7 * 24 * 60 * MINUTE + 1, "too_late", "more than 7 days old and no longer counts."],
])("a beat %s is refused", async (_, age, reason, told) => {
  const { token } = await seedMember(api.deps);

  expect(await send(token, ago(age))).toMatchObject({
    accepted: 0,
    duplicates: 0,
    heartbeats: 0,
    pointsTotal: 0,
    refused: [{ timestamp: ago(age), reason, message: expect.stringContaining(told) }],
  });
});

test("beats that are too early or too late are refused one by one, and the rest of the batch counts", async () => {
  const { token } = await seedMember(api.deps);

  const result = await send(token, "2026-11-20T13:00:00Z", "2026-11-20T12:00:00Z", "2020-01-01T00:00:00+01:00");

  expect(result).toMatchObject({ accepted: 1, duplicates: 0, heartbeats: 1 });
  expect(result.refused).toEqual([
    { timestamp: "2026-11-20T13:00:00Z", reason: "too_early", message: expect.stringContaining("clock") },
    { timestamp: "2020-01-01T00:00:00+01:00", reason: "too_late", message: expect.stringContaining("7 days") },
  ]);
});

test("an older beat that arrives late does not move the last beat back", async () => {
  const { token } = await seedMember(api.deps);
  await send(token, ago(0));
  await send(token, ago(30 * MINUTE));

  expect(await api.read(readHeartbeatStatus, { token })).toMatchObject({
    currentHeartbeats: 2,
    lastHeartbeatAt: ago(0),
  });
});

test("rejects a device name with characters that cannot be stored or seen", async () => {
  const { token } = await seedMember(api.deps);
  for (const name of ["at\u0000tic", "\u200B", "\u202Ecitta"])
    expect(await api.call(registerDevice, { token, body: { name } })).toMatchObject({ status: 400 });
});

test("a device key can only send beats, for its own member", async () => {
  const { token } = await seedMember(api.deps);
  const { deviceId, deviceKey } = await api.read(registerDevice, { token, body: { name: "  attic  " } });

  expect(deviceKey).toMatch(/^nbd_[\w-]{43}$/);
  expect(await send(deviceKey, ago(0))).toMatchObject({ accepted: 1, heartbeats: 1 });
  expect((await api.call(readStats, { token: deviceKey })).status).toBe(401);
  expect((await api.call(registerDevice, { token: deviceKey, body: { name: "more" } })).status).toBe(401);

  const { rows } = await database.pool.query(
    `select device.name, device.key_hash, beat.device_id
       from node_devices as device join heartbeats as beat on beat.user_id = device.user_id`,
  );
  expect(rows).toEqual([{ name: "attic", key_hash: expect.any(Buffer), device_id: deviceId }]);
  expect(JSON.stringify(rows)).not.toContain(deviceKey);
});

test.each([
  ["no credential", undefined],
  ["an unknown device key", `nbd_${"A".repeat(43)}`],
  ["an unknown session", `nbs_${"A".repeat(43)}`],
])("%s cannot send beats", async (_, token) => {
  const answer = await api.call(sendHeartbeats, { token, body: { beats: [{ timestamp: ago(0) }] } });
  expect(answer).toMatchObject({ status: 401, body: { error: "UNAUTHENTICATED" } });
});

test("a revoked device key can no longer send beats", async () => {
  const { token } = await seedMember(api.deps);
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  await database.pool.query("update node_devices set revoked_at = now()");

  const body = { beats: [{ timestamp: ago(0) }] };
  const refusal = { status: 401, body: { error: "KEY_REVOKED" } };
  expect(await api.call(sendHeartbeats, { token: deviceKey, body })).toMatchObject(refusal);
});

test.each([
  ["no beats", { beats: [] }],
  ["too many beats", { beats: Array.from({ length: 1001 }, () => ({ timestamp: "2026-11-20T12:00:00Z" })) }],
  ["a time without a zone", { beats: [{ timestamp: "2026-11-20T12:00:00" }] }],
  ["a day that does not exist", { beats: [{ timestamp: "2026-02-30T12:00:00Z" }] }],
  ["nothing", {}],
])("a body with %s is refused", async (_, body) => {
  const { token } = await seedMember(api.deps);
  const answer = await api.call(sendHeartbeats, { token, body });
  expect(answer).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR" } });
});

// specification: 7.29
test("the heartbeat reward becomes claimable at 100 heartbeats and can be claimed once", async () => {
  const { token, user } = await seedMember(api.deps);
  const beat = (count: number) =>
    inTransaction(database.db, (tx) =>
      countBeats(
        tx,
        Array.from({ length: count }, (_, index) => {
          const beatAt = new Date(ago((index + 1) * 15 * MINUTE));
          return { userId: user.id, beatAt, receivedAt: beatAt };
        }),
        env,
      ),
    );
  const claim = () =>
    inTransaction(database.db, (tx) => claimReward(tx, { userId: user.id, campaignId: "heartbeat", at: clock.now() }));
  const initial = {
    currentHeartbeats: 0,
    requiredHeartbeats: 100,
    completed: false,
    claimed: false,
    claimable: false,
    bonusPoints: 500,
    lastHeartbeatAt: null,
  };
  expect(await api.read(readHeartbeatStatus, { token })).toEqual(initial);

  await beat(99);
  expect(await api.read(readHeartbeatStatus, { token })).toMatchObject({ currentHeartbeats: 99, completed: false });
  await expect(claim()).rejects.toMatchObject({ code: "CONFLICT" });

  await beat(100);
  expect(await api.read(readHeartbeatStatus, { token })).toMatchObject({ completed: true, claimable: true });
  const claims = await Promise.allSettled(Array.from({ length: 4 }, claim));

  expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await api.read(readHeartbeatStatus, { token })).toMatchObject({ claimed: true, claimable: false });
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 100 * 25 + 500 });
});

test("a member can claim the heartbeat reward even if another member has claimed theirs", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedMember(api.deps)];
  const times = Array.from({ length: 100 }, (_, index) => new Date(ago((index + 1) * 15 * MINUTE)));
  const beatsOf = (userId: string) => times.map((beatAt) => ({ userId, beatAt, receivedAt: beatAt }));
  const beats = [...beatsOf(ada.user.id), ...beatsOf(bob.user.id)];
  await inTransaction(database.db, (tx) => countBeats(tx, beats, env));
  const claim = { userId: ada.user.id, campaignId: "heartbeat" as const, at: clock.now() };
  await inTransaction(database.db, (tx) => claimReward(tx, claim));
  const readStatus = ({ token }: { token: string }) => api.read(readHeartbeatStatus, { token });
  expect(await readStatus(ada)).toMatchObject({ claimed: true, claimable: false });
  expect(await readStatus(bob)).toMatchObject({ completed: true, claimed: false, claimable: true });
});

test("device keys are listed by machine name and revoked one by one", async () => {
  const { token, user } = await seedMember(api.deps);
  const attic = await api.read(registerDevice, { token, body: { name: "attic" } });
  await api.read(registerDevice, { token, body: { name: "cellar" } });
  const names = async () => (await api.read(readDevices, { token })).devices.map(({ name }) => name);
  expect(await names()).toEqual(["cellar", "attic"]);

  const revoke = (by: string) => api.call(revokeDevice, { token: by, params: { id: attic.deviceId } });
  const stranger = await seedMember(api.deps);
  const gone = { status: 404, body: { message: "The key of this machine was already revoked." } };
  expect(await revoke(stranger.token)).toMatchObject(gone);
  expect((await revoke(token)).body).toEqual({ success: true, message: "The key of this machine is revoked." });
  expect(await revoke(token)).toMatchObject(gone);
  expect(await names()).toEqual(["cellar"]);
  expect(
    (await api.call(sendHeartbeats, { token: attic.deviceKey, body: { beats: [{ timestamp: ago(0) }] } })).status,
  ).toBe(401);
  const { events } = await readSecurityActivity(api.deps, user.id, { page: 1, limit: 10 });
  expect(events.map(({ kind }) => kind)).toEqual(["device-key-revoked", "device-key-made", "device-key-made"]);
});
