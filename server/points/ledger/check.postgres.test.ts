import { afterAll, expect, test } from "vitest";
import { createTestClock, createTestDeps, seedMember } from "../../../tests/support/api/api.ts";
import { createBeat } from "../../../tests/support/seeds/beats.ts";
import { watchLocks } from "../../../tests/support/database/lock-watch.ts";
import { openTestDatabase } from "../../../tests/support/database/test-database.ts";
import { OPERATOR } from "../../administration/actor.ts";
import { partitionTable } from "../../months/partition.ts";
import { removeOldMonths } from "../../months/old-months.ts";
import { retryWhileLocked } from "../../months/retry-while-locked.ts";
import { LEDGER } from "./monthly.ts";
import { checkLedger } from "./rebuild.ts";

const database = await openTestDatabase();
const { db } = database;
const clock = createTestClock("2026-11-20T12:00:00.000Z");
const deps = createTestDeps(database, { now: clock.now });
const { block, hold } = watchLocks(database);
afterAll(() => database.close());

test("a ledger check sees the ledger as it was at its start, even if a month is to be removed meanwhile", async () => {
  const { user } = await seedMember(deps);
  await createBeat(db, clock.now)(user.id, ["2026-06-20T11:00:00Z", "2026-11-20T11:00:00Z"]);
  await partitionTable(deps, { actor: OPERATOR, reason: "A test" }, LEDGER);
  const remove = () => removeOldMonths({ db, now: clock.now }, LEDGER, 2);

  // By then the check has begun to compare, but has not read the ledger yet.
  const release = await hold("lock table content_totals in access exclusive mode");
  const [checking] = await block(() => checkLedger(db));
  const outcome = await remove().catch(() => "in use");
  await release();

  expect(await checking).toEqual([]);
  expect(outcome).toBe("in use");
  expect(await retryWhileLocked(remove)).toContain("points_ledger_2026_06");
  expect(await checkLedger(db)).toEqual([]);
});
