import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../../tests/support/api/api.ts";
import { openStatus, partOf, pass, type StatusOptions } from "../../tests/support/servers/status-process.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { statusDays, statusSamples } from "../db/schema.ts";
import { PartId } from "./contract.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const database = await createTestDatabase();
const { db } = database;
beforeEach(() => database.reset());
afterAll(() => database.close());

const open = (options?: StatusOptions) => openStatus(database, options);

test("keeps days for 90 days, and their minutes for three", async () => {
  const process = open();
  await pass(process, 2);
  process.clock.advance(3 * DAY);
  await pass(process, 2);
  await pruneExpired(process.api.deps);
  // Minutes that are more than three days old are gone.
  expect(await db.$count(statusSamples)).toBe(2 * PartId.options.length);
  const { days } = partOf(process.status.report(), "api");
  expect(days.slice(-4).map(({ up, unknown }) => [up > 0, unknown > 0])).toEqual([
    [true, true],
    [false, true],
    [false, true],
    [true, true],
  ]);
  const midnight = createTestClock("2026-11-23T23:59:30.000Z");
  const later = open({ clock: midnight });
  await pass(later, 3);
  expect(
    partOf(later.status.report(), "api")
      .days.slice(-2)
      .map(({ date }) => date),
  ).toEqual(["2026-11-23", "2026-11-24"]);
  process.clock.advance(90 * DAY);
  await pruneExpired(process.api.deps);
  // Besides the days that are shown, the last one before them is kept.
  const left = await db.select().from(statusDays);
  expect([...new Set(left.map(({ day }) => day))].toSorted()).toEqual(["2026-11-23", "2026-11-24"]);
});

test("minutes without samples count as unknown even on the first day that is shown", async () => {
  const process = open();
  await pass(process, 2);
  process.clock.advance(2 * DAY);
  await pass(process, 2);
  process.clock.advance(89 * DAY);
  await pruneExpired(process.api.deps);
  await process.sampler.tick();
  const [{ date, up, unknown } = { up: 0, unknown: 0 }] = partOf(process.status.report(), "api").days;
  expect(date).toBe("2026-11-22");
  expect(up).toBeGreaterThan(0);
  expect(up + unknown).toBe(24 * 60);
});

test("a process that slept for days does not recount a day whose minutes are pruned", async () => {
  const process = open();
  await pass(process, 3);
  process.clock.advance(3 * DAY - MINUTE);
  // Pruning wakes first: the minute in which the process fell asleep has not been written yet.
  await pruneExpired(process.api.deps);
  await process.sampler.tick();
  const { days } = partOf(process.status.report(), "api");
  expect(days.at(-4)).toMatchObject({ date: "2026-11-20", up: 3 });
});
