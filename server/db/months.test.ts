import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { addMonthsAhead, isPartitioned, listMonths, startOfMonth } from "./months.ts";
import { heartbeats } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

const database = await createTestDatabase();
const { db } = database;
const deps = createTestDeps(database);
beforeEach(() => database.reset());
afterAll(() => database.close());

const nameMonths = async () => (await listMonths(db, "heartbeats")).map(({ name }) => name);

test("a new database has its heartbeats partitioned by month", async () => {
  expect(await isPartitioned(db, "heartbeats")).toBe(true);
  expect((await nameMonths()).length).toBeGreaterThanOrEqual(5);
});

test("inserting rows creates missing month partitions, even several at once and concurrently", async () => {
  const { user } = await seedMember(deps);
  const beatsIn = (year: number) =>
    inTransaction(db, (tx) =>
      tx.insert(heartbeats).values(
        Array.from({ length: 8 }, (_, month) => {
          const at = new Date(Date.UTC(year, month, 1) - 1);
          return { userId: user.id, slotAt: at, beatAt: at };
        }),
      ),
    );
  await Promise.all([beatsIn(2031), inTransaction(db, (tx) => tx.insert(heartbeats).values(one(user.id)))]);
  expect(await db.$count(heartbeats)).toBe(9);
  const names = await nameMonths();
  expect(names.filter((name) => /_203[01]_/.test(name))).toEqual([
    "heartbeats_2030_12",
    ...[1, 2, 3, 4, 5, 6, 7].map((month) => `heartbeats_2031_0${month}`),
  ]);
});

const one = (userId: string) => {
  const at = new Date("2031-07-31T23:59:59.998Z");
  return { userId, slotAt: at, beatAt: at };
};

test("creates the partitions of the coming months in advance, and only once", async () => {
  const now = new Date("2033-11-30T23:59:00Z");
  expect(await addMonthsAhead(db, "heartbeats", now)).toBe(4);
  expect(await addMonthsAhead(db, "heartbeats", now)).toBe(0);
  const made = ["2033_11", "2033_12", "2034_01", "2034_02"];
  expect((await nameMonths()).filter((name) => /_203[34]_/.test(name)).map((name) => name.slice(-7))).toEqual(made);
});

test("a query for one month reads only the partition of that month", async () => {
  const { user } = await seedMember(deps);
  const from = new Date("2035-10-01T00:00:00Z");
  await inTransaction(db, (tx) => tx.insert(heartbeats).values({ userId: user.id, slotAt: from, beatAt: from }));
  const { rows } = await db.execute(sql`explain select from heartbeats
    where user_id = ${user.id} and slot_at >= ${from.toISOString()}::timestamptz
      and slot_at < ${startOfMonth(from, 1).toISOString()}::timestamptz`);
  expect(JSON.stringify(rows).match(/heartbeats_\d{4}_\d\d/g)).toContain("heartbeats_2035_10");
  expect(new Set(JSON.stringify(rows).match(/on heartbeats_\d{4}_\d\d/g)).size).toBe(1);
});

test("a row whose partition is missing is still refused if it breaks another constraint", async () => {
  const at = new Date("2031-09-01T00:00:00Z");
  const stranger = { userId: "00000000-0000-7000-8000-000000000001", slotAt: at, beatAt: at };
  await expect(inTransaction(db, (tx) => tx.insert(heartbeats).values(stranger))).rejects.toMatchObject({
    cause: { code: "23503" },
  });
});
