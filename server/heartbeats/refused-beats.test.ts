import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { refusedBeats } from "../db/schema.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { readRefusedBeats, registerDevice, revokeDevice, sendHeartbeats } from "./contract.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const { api, clock, database } = await openTestApi({}, "2026-11-20T12:07:00.000Z");

const send = (token: string, timestamps: string[]) =>
  api.call(sendHeartbeats, { token, body: { beats: timestamps.map((timestamp) => ({ timestamp })) } });
const read = (token: string, limit = 20) => api.read(readRefusedBeats, { token, query: { limit } });
const at = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();
const countRows = () => database.db.$count(refusedBeats);

test("keeps a refused beat with its reason, both times and its machine, but no beat that counted", async () => {
  const { token } = await seedMember(api.deps);
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  const receivedAt = at(0);
  await send(deviceKey, [at(0), at(90_000), at(-8 * DAY)]);
  expect(await read(token)).toEqual({
    total: 2,
    refused: [
      { claimedAt: at(90_000), receivedAt, reason: "too_early", message: expect.any(String), device: "attic" },
      { claimedAt: at(-8 * DAY), receivedAt, reason: "too_late", message: expect.any(String), device: "attic" },
    ],
  });
  const stranger = await seedMember(api.deps);
  expect(await read(stranger.token)).toEqual({ refused: [], total: 0 });
});

test("a refused batch is kept once, even if it is sent again or concurrently", async () => {
  const { token } = await seedMember(api.deps);
  const batch = Array.from({ length: 30 }, (_, index) => at(-8 * DAY - index * MINUTE));
  await Promise.all([send(token, batch), send(token, batch.toReversed()), send(token, batch)]);
  await send(token, batch);
  expect((await read(token)).total).toBe(30);
});

test("keeps no more refused beats than the cap, however many a node sends, and shows the latest", async () => {
  const [{ token }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  await send(other.token, [at(DAY)]);
  for (let second = 0; second < 5; second += 1) {
    clock.advance(1000);
    expect(
      (
        await send(
          token,
          Array.from({ length: 1000 }, (_, index) => at(DAY + index)),
        )
      ).status,
    ).toBe(200);
  }
  expect(await countRows()).toBe(101);
  // Another member's rows stay, although they are older than all of these.
  expect((await read(other.token)).total).toBe(1);

  clock.advance(59 * MINUTE);
  await send(token, [at(DAY)]);
  expect((await read(token, 1)).refused[0]?.receivedAt).not.toBe(at(0));
  clock.advance(2 * MINUTE);
  await send(token, [at(DAY)]);
  expect(await countRows()).toBe(101);
  expect((await read(token, 1)).refused).toMatchObject([{ claimedAt: at(DAY), receivedAt: at(0) }]);
  // Nor do that many newer ones displace any of theirs.
  await send(other.token, [at(DAY + 1)]);
  expect((await read(other.token)).total).toBe(2);
});

test("records refused beats at once after a clock that was ahead has filled the list", async () => {
  const { token } = await seedMember(api.deps);
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  const times = Array.from({ length: 100 }, (_, index) => at(index * 1000));
  clock.advance(20 * DAY);
  expect((await send(deviceKey, times)).body).toMatchObject({ accepted: 0 });
  clock.advance(-20 * DAY);
  await send(deviceKey, [at(DAY)]);
  expect(await read(token)).toMatchObject({ total: 1, refused: [{ claimedAt: at(DAY), receivedAt: at(0) }] });
});

test("if a batch exceeds the cap, the latest beats are kept", async () => {
  const { token } = await seedMember(api.deps);
  const times = Array.from({ length: 150 }, (_, index) => at(DAY + index * 1000));
  // Starts in the middle, so that neither end of the batch is what should be kept.
  await send(token, [...times.slice(75), ...times.slice(0, 75)]);
  const { refused } = await read(token, 100);
  expect(refused.map(({ claimedAt }) => claimedAt)).toEqual(times.slice(50).toReversed());
});

test("beats with extreme years are refused like any other", async () => {
  const { token } = await seedMember(api.deps);
  const { status } = await send(token, [
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00+14:00",
  ]);
  expect(status).toBe(200);
  expect((await read(token)).refused.map(({ claimedAt }) => claimedAt)).toEqual([
    "9999-01-01T00:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
  ]);
});

test("a machine that keeps using a revoked key is recorded once every 15 minutes", async () => {
  const { token } = await seedMember(api.deps);
  const { deviceId, deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  await api.read(revokeDevice, { token, params: { id: deviceId } });
  for (let times = 0; times < 3; times += 1) expect((await send(deviceKey, [at(0)])).status).toBe(401);
  expect(await read(token)).toMatchObject({
    total: 1,
    refused: [
      {
        claimedAt: null,
        receivedAt: at(0),
        reason: "revoked_key",
        message: "The key of this machine is revoked. Give it a new one.",
        device: "attic",
      },
    ],
  });
  clock.advance(15 * MINUTE);
  await send(deviceKey, [at(0)]);
  expect((await read(token)).total).toBe(2);
});

test("refused beats are deleted after 30 days, and not before", async () => {
  const { token } = await seedMember(api.deps);
  await send(token, [at(DAY)]);
  clock.advance(30 * DAY);
  expect(await pruneExpired(api.deps)).toMatchObject({ refusedBeats: 0 });
  clock.advance(1);
  expect(await pruneExpired(api.deps)).toMatchObject({ refusedBeats: 1 });
  expect(await countRows()).toBe(0);
});
