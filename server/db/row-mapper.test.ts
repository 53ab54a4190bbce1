import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../tests/support/database/test-database.ts";
import { SPRING } from "./campaign.fixture.ts";
import type { Db, Tx } from "./client.ts";
import { prepared } from "./prepared.ts";
import { campaigns } from "./schema.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db
    .insert(campaigns)
    .values([SPRING, { ...SPRING, id: "autumn", taskNumber: 2, startsAt: new Date(0) }]);
});
afterEach(() => database.reset());
afterAll(() => database.close());

const points = sql<number>`${campaigns.bonusPoints}::float8 / 4`.mapWith(Number);

/** Every way in which a query can name what it selects. */
const selectFlat = (db: Db | Tx) => {
  const best = db.select({ id: campaigns.id }).from(campaigns).where(eq(campaigns.id, "spring")).as("best");
  return db
    .select({
      name: campaigns.name,
      startsAt: campaigns.startsAt,
      endsAt: campaigns.endsAt,
      points,
      aliased: points.as("aliased"),
      text: sql<string>`'text'`,
      missing: sql<string | null>`null`.mapWith(Number),
      mandatory: campaigns.mandatory,
      joined: best.id,
    })
    .from(campaigns)
    .leftJoin(best, eq(best.id, campaigns.id))
    .orderBy(campaigns.taskNumber);
};

const selectNested = (db: Db | Tx) =>
  db
    .select({ campaign: { name: campaigns.name, startsAt: campaigns.startsAt }, points })
    .from(campaigns)
    .orderBy(campaigns.taskNumber);

const selectSubquery = (db: Db | Tx) => {
  const best = db
    .select({ points: points.as("points") })
    .from(campaigns)
    .limit(1)
    .as("best");
  return db.select({ name: campaigns.name, best }).from(campaigns);
};

const findFlat = prepared((db) => selectFlat(db).prepare("test_flat_rows"));
const findNested = prepared((db) => selectNested(db).prepare("test_nested_rows"));
const findSubquery = prepared((db) => selectSubquery(db).prepare("test_subquery"));
const insert = prepared((db) =>
  db
    .insert(campaigns)
    .values({ ...SPRING, id: sql.placeholder("id") })
    .returning({ id: campaigns.id, endsAt: campaigns.endsAt, points })
    .prepare("test_insert_campaign"),
);

test("a prepared query returns what the same query returns unprepared", async () => {
  const { db } = database;
  const rows = await findFlat(db).execute();
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(await selectFlat(db));
  expect(rows).toMatchObject([
    { startsAt: null, points: 2.5, aliased: 2.5, text: "text", missing: null, joined: "spring" },
    { startsAt: new Date(0), mandatory: false, joined: null },
  ]);
  expect(await findNested(db).execute()).toEqual(await selectNested(db));
  expect(await findSubquery(db).execute()).toEqual(await selectSubquery(db));
});

test("a prepared insert returns the values of the new row", async () => {
  expect(await insert(database.db).execute({ id: "winter" })).toEqual([{ id: "winter", endsAt: null, points: 2.5 }]);
});

test("Drizzle still lets us map the rows of a prepared query", () => {
  expect(findFlat(database.db)).toHaveProperty("customResultMapper", expect.any(Function));
});
