import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../tests/support/database/test-database.ts";
import { SPRING } from "./campaign.fixture.ts";
import { prepared } from "./prepared.ts";
import { campaigns } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.reset());
afterAll(() => database.close());

let built = 0;
const findCampaign = prepared((db) => {
  built += 1;
  return db
    .select({ name: campaigns.name })
    .from(campaigns)
    .where(eq(campaigns.id, sql.placeholder("id")))
    .prepare("test_find_campaign");
});

test("a prepared query is built only once per database", async () => {
  built = 0;
  await database.db.insert(campaigns).values(SPRING);
  expect(await findCampaign(database.db).execute({ id: "spring" })).toEqual([{ name: "Spring" }]);
  expect(await findCampaign(database.db).execute({ id: "autumn" })).toEqual([]);
  expect(built).toBe(1);
});

test("a prepared query is built only once for all transactions of a connection", async () => {
  built = 0;
  for (let time = 0; time < 10; time += 1)
    await inTransaction(database.db, (tx) => findCampaign(tx).execute({ id: "" }));
  expect(built).toBe(1);
});

test("a prepared query in a transaction sees what the transaction wrote", async () => {
  const seen = await inTransaction(database.db, async (tx) => {
    await tx.insert(campaigns).values(SPRING);
    return findCampaign(tx).execute({ id: "spring" });
  });
  expect(seen).toEqual([{ name: "Spring" }]);
});

test("a prepared query works on the connection that replaces a lost one", async () => {
  await findCampaign(database.db).execute({ id: "spring" });
  const client = await database.pool.connect();
  client.release(true);
  expect(await findCampaign(database.db).execute({ id: "spring" })).toEqual([]);
});
