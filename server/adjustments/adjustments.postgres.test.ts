import { afterAll, expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { watchLocks } from "../../tests/support/database/lock-watch.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { erasePersonalData } from "../account-data/erase.queries.ts";
import { inTransaction } from "../db/transaction.ts";
import { makeAdjustment } from "./contract.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
const { block, hold } = watchLocks(database);
afterAll(() => database.close());

test("refuses the second of two different concurrent adjustments with the same key", async () => {
  const [ada, ben] = [await seedAdministrator(api.deps), await seedAdministrator(api.deps)];
  await seedMember(api.deps, { email: "cleo@example.com" });
  const asked = { member: "cleo@example.com", category: "Rewards", reason: "Lost in an outage" };
  const make = (token: string, points: number, key = "may") =>
    api.call(makeAdjustment, { token, body: { ...asked, key, points } });
  await make(ada.token, 10, "april");

  // The first call has inserted its ledger row by then, but not yet updated the sums.
  const release = await hold("select from points_totals for update");
  const [first] = await block(() => make(ada.token, 100));
  const [second] = await block(() => make(ben.token, 200));
  await release();

  expect(await first).toMatchObject({ status: 200, body: { outcome: "posted" } });
  expect(await second).toMatchObject({ status: 409 });
});

test("gives no points to an account that is being deleted", async () => {
  const { token } = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps);
  const [emptied, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const erasing = inTransaction(database.db, async (tx) => {
    await erasePersonalData(tx, { userId: user.id, now: api.deps.now() });
    emptied.resolve();
    await goOn.promise;
  });
  await emptied.promise;
  const body = { member: user.id, points: 100, category: "Rewards", key: "may", reason: "Lost in an outage" };
  const [making] = await block(() => api.call(makeAdjustment, { token, body }));
  goOn.resolve();

  await erasing;
  expect(await making).toMatchObject({ status: 404 });
});
