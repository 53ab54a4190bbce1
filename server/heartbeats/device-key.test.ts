import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  DeviceResult,
  MAX_DEVICES,
  readDevices,
  readRefusedBeats,
  readUptime,
  registerDevice,
  revokeDevice,
  sendHeartbeats,
} from "./contract.ts";

const HOUR = 3_600_000;

const database = await createTestDatabase();
afterAll(() => database.close());

test.each([
  [{ publicUrl: "https://nodebeat.example" }, "https://nodebeat.example"],
  [{}, undefined],
])("a device key comes with the public address of the server, if it is configured", async (env, address) => {
  const api = createTestApi(database, { env });
  const { token } = await seedMember(api.deps);
  const made = await api.read(registerDevice, { token, body: { name: "attic" } });
  expect(made.deviceKey).toMatch(/^nbd_[\w-]{43}$/);
  expect(made.address).toBe(address);
});

test("a member at the maximum number of keys gets no more, even concurrently, until one is revoked", async () => {
  const api = createTestApi(database);
  const [{ token }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  const make = (by = token) => api.call(registerDevice, { token: by, body: { name: "attic" } });
  const asked = Array.from({ length: MAX_DEVICES - 5 }, () => make());
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));

  const last = await Promise.all(Array.from({ length: 50 }, () => make()));
  expect(last.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(last.find(({ status }) => status !== 200)).toMatchObject({
    status: 409,
    body: { message: "You already have keys for 100 machines. Revoke one that you no longer use." },
  });
  expect(await make(other.token)).toMatchObject({ status: 200 });

  const { devices } = await api.read(readDevices, { token });
  expect(devices).toHaveLength(MAX_DEVICES);
  await api.read(revokeDevice, { token, params: { id: devices[0]?.id ?? "" } });
  expect(await make()).toMatchObject({ status: 200 });
});

test("a machine that registers again with its id has one key, and only the latest works", async () => {
  const api = createTestApi(database);
  const { token } = await seedMember(api.deps);
  const stranger = await seedMember(api.deps);
  const id = randomUUID();
  const make = (by = token) => api.call(registerDevice, { token: by, body: { name: "attic", id: id.toUpperCase() } });
  const beat = async (deviceKey: string) => {
    const beats = [{ timestamp: new Date().toISOString() }];
    return (await api.call(sendHeartbeats, { token: deviceKey, body: { beats } })).status;
  };
  const made = await Promise.all(Array.from({ length: 5 }, () => make()));
  const results = made.map(({ body }) => DeviceResult.parse(body));
  expect(new Set(results.map(({ deviceId }) => deviceId))).toEqual(new Set([id]));
  const keys = results.map(({ deviceKey }) => deviceKey);
  const statuses = await Promise.all(keys.map(beat));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
  const { devices } = await api.read(readDevices, { token });
  expect(devices).toMatchObject([{ id, name: "attic" }]);

  // The same id of another member is a different machine.
  const working = keys[statuses.indexOf(200)] ?? "";
  expect(await make(stranger.token)).toMatchObject({ status: 200 });
  expect(await beat(working)).toBe(200);

  await api.read(revokeDevice, { token, params: { id } });
  const revoked = { status: 409, body: { message: "The key of this machine was revoked." } };
  expect(await make()).toMatchObject(revoked);
  expect(await beat(working)).toBe(401);
});

test("of keys that are used at the same moment, each works for its own member, or not at all", async () => {
  const api = createTestApi(database);
  // More than fit into one lookup.
  const strangers = Array.from({ length: 120 }, () => ({ key: `nbd_${"A".repeat(43)}`, beats: 1 }));
  const members = [];
  for (let beats = 1; beats <= 6; beats += 1) {
    const { token, user } = await seedMember(api.deps);
    const { deviceId, deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
    members.push({ beats, id: deviceId, key: deviceKey, token, userId: user.id });
  }
  const [revoked, blocked, ...others] = members;
  await api.read(revokeDevice, { token: revoked?.token, params: { id: revoked?.id ?? "" } });
  await database.pool.query("update users set blocked_at = now() where id = $1", [blocked?.userId]);

  const at = Date.now();
  const send = async ({ beats: count, key }: { beats: number; key: string }) => {
    const beats = Array.from({ length: count }, (_, slot) => ({ timestamp: new Date(at - slot * HOUR).toISOString() }));
    const { body, status } = await api.call(sendHeartbeats, { token: key, body: { beats } });
    const { error, heartbeats } = body as { error?: string; heartbeats?: number };
    return { status, error, heartbeats };
  };
  // The last one uses its key twice.
  const answers = await Promise.all([...strangers, ...members, ...members.slice(-1)].map(send));
  expect(answers).toEqual([
    ...strangers.map(() => ({ status: 401, error: "UNAUTHENTICATED" })),
    { status: 401, error: "KEY_REVOKED" },
    { status: 401, error: "UNAUTHENTICATED" },
    ...others.map(({ beats }) => ({ status: 200, heartbeats: beats })),
    { status: 200, heartbeats: 6 },
  ]);
});

test("members whose machines share an id each see the name and beats of their own", async () => {
  const api = createTestApi(database);
  const id = randomUUID();
  const members = [];
  for (const [index, name] of ["attic", "cellar"].entries()) {
    const { token } = await seedMember(api.deps);
    const { deviceKey } = await api.read(registerDevice, { token, body: { name, id } });
    const timestamp = new Date(Date.now() - index * 60_000).toISOString();
    const beats = [{ timestamp }, { timestamp: new Date(Date.now() + HOUR).toISOString() }];
    await api.read(sendHeartbeats, { token: deviceKey, body: { beats } });
    members.push({ deviceKey, name, timestamp, token });
  }
  // Sends a heartbeat again, whose slot is filled by now. It is the last one of its own machine only.
  const { deviceKey = "", timestamp } = members[0] ?? {};
  await api.read(sendHeartbeats, { token: deviceKey, body: { beats: [{ timestamp }] } });
  for (const { name, timestamp, token } of members) {
    expect((await api.read(readDevices, { token })).devices).toMatchObject([{ name, lastBeatAt: timestamp }]);
    const { lastBeat } = await api.read(readUptime, { token, query: { range: "last24hours" } });
    expect(lastBeat).toEqual({ at: timestamp, device: name });
    const { refused } = await api.read(readRefusedBeats, { token, query: { limit: 20 } });
    expect(refused).toMatchObject([{ device: name }]);
  }
});

test("a registered machine can get a new key even if its member is at the limit", async () => {
  const api = createTestApi(database);
  const { token } = await seedMember(api.deps);
  const ids = Array.from({ length: MAX_DEVICES }, () => randomUUID());
  const make = (id?: string) => api.call(registerDevice, { token, body: { name: "attic", id } });
  await Promise.all(ids.map(make));
  expect(await make(ids[0])).toMatchObject({ status: 200, body: { deviceId: ids[0] } });
  expect(await make()).toMatchObject({ status: 409 });
  expect(await make("attic")).toMatchObject({ status: 400 });
});
