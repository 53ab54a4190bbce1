import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { sumPoints } from "../amount.ts";
import { readPointsHistory, readPointsLog, readPointsLogDetail, readStats, type PointsLogEntry } from "../contract.ts";
import { checkLedger } from "./rebuild.ts";
import { postPoints } from "../service.ts";
import { DAY_MS } from "../utc-day.ts";
import { EARNING_RULES } from "../../earning-rules.ts";
import { HEARTBEAT_RULE } from "../../heartbeats/earning.ts";

const database = await createTestDatabase();
const { db } = database;
const clock = createTestClock("2026-11-20T12:00:00.000Z");
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const MEMBERS = 3;
const member = fc.nat({ max: MEMBERS - 1 });

/** Few distinct events, so that many are posted more than once. They go back 90 days, the length of the chart. */
const posting = fc.record({
  member,
  rule: fc.constantFrom(...EARNING_RULES),
  event: fc.nat({ max: 12 }),
  cents: fc.integer({ min: -2_000_000, max: 100_000_000 }),
  age: fc.integer({ min: -DAY_MS / 2 + 1, max: 89 * DAY_MS }),
});
const batch = fc.array(posting, { minLength: 1, maxLength: 12 });
/** Each round is a list of batches that run at the same time. Rounds run one after another. */
const rounds = fc.array(fc.array(batch, { maxLength: 5 }), { minLength: 1, maxLength: 4 });

test("sum(ledger) = header = breakdown = chart = log, even with duplicate, negative and concurrent postings", async () => {
  await fc.assert(
    fc
      .asyncProperty(rounds, async (history) => {
        const members = await Promise.all(Array.from({ length: MEMBERS }, () => seedMember(api.deps)));
        const ids = members.map(({ user }) => user.id);
        for (const round of history) await play(ids, round);

        for (const { token, user } of members) await expectOneTruth(user.id, token);
        expect(await checkLedger(db)).toEqual([]);
      })
      .beforeEach(() => database.reset()),
    { numRuns: 20 },
  );
});

type Round = typeof rounds extends fc.Arbitrary<(infer R)[]> ? R : never;

async function play(ids: string[], batches: Round) {
  const post = (entries: (typeof batches)[number]) =>
    inTransaction(db, (tx) =>
      postPoints(
        tx,
        entries.map(({ member, cents, ...event }) => ({
          userId: ids[member] ?? "",
          rule: event.rule,
          points: cents / 100,
          comment: event.rule.rule,
          ...describeEvent(event),
        })),
      ),
    );
  await Promise.all(batches.map(post));
}

type Event = Pick<typeof posting extends fc.Arbitrary<infer P> ? P : never, "age" | "event" | "rule">;

/** Names an event. A heartbeat is named by its slot and happens within a day of it. Others have any name and time. */
function describeEvent({ age, event, rule }: Event) {
  const now = clock.now().getTime();
  if (rule !== HEARTBEAT_RULE) return { sourceId: String(event), occurredAt: new Date(now - age) };
  const slot = now - event * 6 * DAY_MS;
  return { sourceId: new Date(slot).toISOString(), occurredAt: new Date(slot + (Math.abs(age) % (DAY_MS / 2))) };
}

async function expectOneTruth(userId: string, token: string) {
  const { rows } = await db.execute<{ entries: number; points: string }>(
    sql`select count(*)::integer as entries, coalesce(sum(points), 0) as points from points_ledger where user_id = ${userId}`,
  );
  const { entries, points } = { entries: rows[0]?.entries, points: Number(rows[0]?.points) };
  const stats = await api.read(readStats, { token });
  // The half day of "tomorrow" is in the log and the totals, but not in the chart yet.
  const chart = await api.read(readPointsHistory, { token, query: { range: "last90days" } });
  const tomorrow = await api.read(readPointsLog, { token, query: { startDate: "2026-11-21", limit: 100 } });
  const log = await readWholeLog(token);

  expect(stats.points_total).toBe(points);
  expect(sumPoints(stats.points_breakdown.map(({ value }) => value ?? 0))).toBe(points);
  expect(sumPoints([chart.pointsTotal, ...tomorrow.data.map((entry) => entry.points)])).toBe(points);
  expect(sumPoints(chart.history.data.map(({ total }) => total))).toBe(chart.pointsTotal);
  expect(chart.totalEntries + tomorrow.total).toBe(entries);
  expect(log).toHaveLength(entries ?? -1);
  for (const { id = "" } of log.slice(0, 1)) {
    expect((await api.read(readPointsLogDetail, { token, params: { id } })).runningTotal).toBe(points);
  }
  expect(sumPoints(log.map((entry) => entry.points))).toBe(points);
}

async function readWholeLog(token: string) {
  const log: PointsLogEntry[] = [];
  for (let page = 1; ; page++) {
    const { data, pointsTotal, total } = await api.read(readPointsLog, { token, query: { page, limit: 7 } });
    log.push(...data);
    if (page * 7 < total) continue;
    expect(pointsTotal).toBe(sumPoints(log.map(({ points }) => points)));
    return log;
  }
}
