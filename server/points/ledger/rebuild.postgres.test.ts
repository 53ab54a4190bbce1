import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { createTestDeps, seedMember } from "../../../tests/support/api/api.ts";
import { watchLocks } from "../../../tests/support/database/lock-watch.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { OPERATOR } from "../../administration/actor.ts";
import { inTransaction } from "../../db/transaction.ts";
import { checkLedger, rebuildLedger } from "./rebuild.ts";
import { postPoints, readStats } from "../service.ts";
import { CAMPAIGN_RULE } from "../../rewards/earning.ts";

const database = await createTestDatabase();
const { db, pool } = database;
const deps = createTestDeps(database);
const ACT = { actor: OPERATOR, reason: "A sum was wrong" };
const { countWaiting } = watchLocks(database);
beforeEach(() => database.reset());
afterAll(() => database.close());

test("repairing lost sums waits for a posting in progress and counts it", async () => {
  const { user } = await seedMember(deps);
  const userId = user.id;
  const entryOf = (sourceId: string) => ({
    userId,
    rule: CAMPAIGN_RULE,
    sourceId,
    points: 10,
    comment: "C",
    occurredAt: deps.now(),
  });
  await inTransaction(db, (tx) => postPoints(tx, [entryOf("before")]));
  await pool.query("delete from points_totals");
  const [posted, repairing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];

  const posting = inTransaction(db, async (tx) => {
    await postPoints(tx, [entryOf("meanwhile")]);
    posted.resolve();
    await repairing.promise;
  });
  await posted.promise;
  const repair = rebuildLedger(deps, ACT);
  await vi.waitUntil(async () => (await countWaiting()) === 1, { timeout: 30_000 });
  repairing.resolve();

  await Promise.all([posting, repair]);
  expect(await checkLedger(db)).toEqual([]);
  expect((await readStats(deps, userId)).points_total).toBe(20);
});
