import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../tests/support/database/test-database.ts";
import { SPRING } from "./campaign.fixture.ts";
import type { Tx } from "./client.ts";
import { campaigns } from "./schema.ts";
import { inTransaction } from "./transaction.ts";
import { findErrorCode, isDatabaseUnavailable } from "./unavailable.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.reset());
afterAll(() => database.close());

/** Raises the error that PostgreSQL raises in the transaction that lost. */
const lose = (tx: Tx, state: string) => tx.execute(sql.raw(`do $$ begin raise sqlstate '${state}'; end $$`));

test.each(["40001", "40P01"])(
  "a transaction that loses a conflict (%s) is retried and leaves one result",
  async (state) => {
    let runs = 0;
    const result = await inTransaction(database.db, async (tx) => {
      runs += 1;
      await tx.insert(campaigns).values(SPRING);
      if (runs < 3) await lose(tx, state);
      return runs;
    });
    expect(result).toBe(3);
    expect(await database.db.$count(campaigns)).toBe(1);
  },
);

test("a transaction that keeps losing conflicts gives up after five attempts with 503", async () => {
  let runs = 0;
  const outcome = await inTransaction(database.db, async (tx) => {
    runs += 1;
    await tx.insert(campaigns).values(SPRING);
    await lose(tx, "40001");
  }).catch((error: unknown) => error);
  expect(runs).toBe(5);
  expect(isDatabaseUnavailable(outcome)).toBe(true);
  expect(await database.db.$count(campaigns)).toBe(0);
});

test("any other failure is rolled back and thrown without a retry", async () => {
  let runs = 0;
  const outcome = await inTransaction(database.db, async (tx) => {
    runs += 1;
    await tx.insert(campaigns).values(SPRING);
    await tx.insert(campaigns).values(SPRING);
  }).catch((error: unknown) => error);
  expect(runs).toBe(1);
  expect(findErrorCode(outcome)).toBe("23505");
  expect(isDatabaseUnavailable(outcome)).toBe(false);
  expect(await database.db.$count(campaigns)).toBe(0);
});

test("a query that bypasses the open transaction is refused, and works after it ends", async () => {
  const { db } = database;
  const query = () => db.select().from(campaigns).where(eq(campaigns.id, "spring"));
  await expect(inTransaction(db, query)).rejects.toThrow(/Failed query/);
  await expect(inTransaction(db, query)).rejects.toHaveProperty(
    "cause.message",
    "Inside a transaction, query it and not the pool",
  );
  expect(await query()).toEqual([]);
});

test("concurrent transactions each store their own result", async () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
  const insert = (id: string) => inTransaction(database.db, (tx) => tx.insert(campaigns).values({ ...SPRING, id }));
  await Promise.all(ids.map(insert));
  const rows = await database.db.select({ id: campaigns.id }).from(campaigns).orderBy(campaigns.id);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});
