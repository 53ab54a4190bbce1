import { afterAll, expect, test } from "vitest";
import { createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { watchLocks } from "../../tests/support/database/lock-watch.ts";
import { unpartitionHeartbeats } from "../../tests/support/database/one-table.ts";
import { openTestDatabase } from "../../tests/support/database/test-database.ts";
import { forgetMachines, lockMember } from "../account-data/erase.queries.ts";
import { OPERATOR } from "../administration/actor.ts";
import { inTransaction } from "../db/transaction.ts";
import { HEARTBEATS } from "../heartbeats/monthly.ts";
import { countBeats } from "../heartbeats/service.ts";
import { partitionTable } from "./partition.ts";

const database = await openTestDatabase();
const { db, pool } = database;
const deps = createTestDeps(database, { now: () => new Date() });
const { block, countDeadlocks } = watchLocks(database);
afterAll(() => database.close());

test("partitioning a table does not deadlock with a member who is leaving", async () => {
  await unpartitionHeartbeats(pool);
  const { user } = await seedMember(deps);
  const beat = { userId: user.id, beatAt: new Date(), receivedAt: new Date(), deviceId: crypto.randomUUID() };
  await inTransaction(db, (tx) => countBeats(tx, [beat], deps.env));
  const before = await countDeadlocks();

  const [locked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const leaving = inTransaction(db, async (tx) => {
    await lockMember(tx, user.id);
    locked.resolve();
    await goOn.promise;
    await forgetMachines(tx, user.id);
  });
  await locked.promise;
  const [partitioning] = await block(() => partitionTable(deps, { actor: OPERATOR, reason: "A test" }, HEARTBEATS));
  goOn.resolve();

  await leaving;
  expect(await partitioning).toMatchObject({ divided: true, copied: 1 });
  expect(await countDeadlocks()).toBe(before);
  expect((await pool.query("select device_id from heartbeats")).rows).toEqual([{ device_id: null }]);
});
