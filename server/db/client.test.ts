import { is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../tests/support/database/test-database.ts";
import { migrateDatabase } from "./migrate.ts";
import * as schema from "./schema.ts";
import { findErrorCode } from "./unavailable.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("an open database reports that it is ok", async () => {
  expect(database.status()).toEqual({ ok: true });
  expect(await database.check()).toEqual({ ok: true });
});

test("the main tables of a new database can be read and are empty", async () => {
  const { db } = database;
  const counts = [db.$count(schema.users), db.$count(schema.pointsLedger), db.$count(schema.heartbeats)];
  expect(await Promise.all(counts)).toEqual([0, 0, 0]);
});

test("every table in the schema can be read", async () => {
  const tables = Object.values(schema).filter((each) => is(each, PgTable));
  expect(tables.length).toBeGreaterThan(0);
  for (const table of tables) expect(await database.db.select().from(table).limit(1)).toBeInstanceOf(Array);
});

test("migrating again changes nothing", async () => {
  const find = sql`select id, hash, created_at from drizzle.__drizzle_migrations order by id`;
  const before = await database.db.execute(find);
  const client = await database.pool.connect();
  await migrateDatabase(client);
  client.release();
  const after = await database.db.execute(find);
  expect(before.rows.length).toBeGreaterThan(0);
  expect(after.rows).toEqual(before.rows);
});

test("a reset empties the test database, including the append-only ledger", async () => {
  const { db } = database;
  const userId = "018f0000-0000-7000-8000-000000000001";
  await db.insert(schema.users).values({ id: userId, email: "a@b.test", emailKey: "a@b.test", passwordHash: "-" });
  await db.insert(schema.pointsLedger).values({
    userId,
    id: userId,
    category: "Others",
    points: 1,
    comment: "A point",
    source: "test",
    sourceId: "1",
    rule: "test",
    ruleVersion: 1,
    occurredAt: new Date(),
  });
  const refused = await db.delete(schema.pointsLedger).catch((error: unknown) => error);
  expect(findErrorCode(refused)).toBe("23001");

  await database.reset();

  expect(await db.$count(schema.pointsLedger)).toBe(0);
  expect(await db.$count(schema.users)).toBe(0);
});

test("each of many concurrent queries gets its own result", async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const results = await Promise.all(numbers.map((number) => database.pool.query("select $1::int as n", [number])));
  expect(results.map(({ rows }) => rows)).toEqual(numbers.map((n) => [{ n }]));
});
