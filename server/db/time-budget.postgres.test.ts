import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pino } from "pino";
import { takeConnections } from "../../tests/support/database/take-connections.ts";
import { createTestDatabase, type TestDatabase } from "../../tests/support/database/test-database.ts";
import { runAsCaller } from "../fair-share/caller.ts";
import { openDatabase, type Database } from "./client.ts";
import { GuardedPool } from "./guarded-pool.ts";
import { runWithFullLimit, withShorterTimeLimit, withTimeLimit, liftTimeLimit, waitForShared } from "./time-budget.ts";
import { inTransaction } from "./transaction.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

const LIMIT = 100;
/** Longer than the limit, however slow the machine is. */
const LONG = sql`select pg_sleep(0.3)`;
/** So long that nobody would wait for it to end. */
const ENDLESS = sql`select pg_sleep(3600)`;

let whole: TestDatabase;
let database: Database;

beforeAll(async () => {
  whole = await createTestDatabase();
  const databaseUrl = whole.pool.options.connectionString;
  database = await openDatabase({ databaseUrl, databasePoolSize: 2, dataDir: "", log: pino({ level: "silent" }) });
});
afterAll(async () => {
  await database.close();
  await whole.close();
});

const isLate = (work: Promise<unknown>) =>
  work.then(
    () => false,
    (error: unknown) => isDatabaseUnavailable(error),
  );

const countEndless = async () => {
  const { rows } = await whole.db.execute(
    sql`select count(*)::int from pg_stat_activity where state = 'active' and query like '%pg_sleep(3600)' and pid <> pg_backend_pid()`,
  );
  return rows;
};

test("a query that takes longer than its request may wait fails with 503 and is cancelled on the server", async () => {
  const { db } = database;
  const asked = [
    isLate(withTimeLimit(LIMIT, () => db.execute(ENDLESS))),
    isLate(withTimeLimit(LIMIT, () => inTransaction(db, (tx) => tx.execute(ENDLESS)))),
  ];
  expect(await Promise.all(asked)).toEqual([true, true]);
  await expect.poll(countEndless).toEqual([{ count: 0 }]);
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

test("a request that times out waiting for a connection leaves that connection to others", async () => {
  const { db, pool } = database;
  const giveBack = await takeConnections(pool);
  const waiting = [
    isLate(withTimeLimit(LIMIT, () => db.execute(sql`select 1`))),
    isLate(withTimeLimit(LIMIT, () => inTransaction(db, (tx) => tx.execute(sql`select 1`)))),
  ];
  expect(await Promise.all(waiting)).toEqual([true, true]);
  giveBack();
  const many = Array.from({ length: 10 }, () => isLate(db.execute(sql`select 1`)));
  expect(new Set(await Promise.all(many))).toEqual(new Set([false]));
});

test("all queries of a request share one time limit, and those after it are refused", async () => {
  const late = await withTimeLimit(2 * LIMIT, async () => {
    const first = await isLate(database.db.execute(LONG));
    return [first, await isLate(database.db.execute(sql`select 1`))];
  });
  expect(late).toEqual([true, true]);
});

test("does not time out background work, work after the response, or a request that opted out", async () => {
  const { db } = database;
  const rest = await withTimeLimit(LIMIT, async () => ({ rest: Promise.resolve().then(() => db.execute(LONG)) }));
  const taken = withTimeLimit(LIMIT, async () => {
    liftTimeLimit();
    return db.execute(LONG);
  });
  const all = await Promise.all([isLate(rest.rest), isLate(taken), isLate(db.execute(LONG))]);
  expect(all).toEqual([false, false, false]);
});

test("a request that waits for shared work times out by its own limit, which does not limit the shared work", async () => {
  const { db } = database;
  const shared = Promise.withResolvers<never>();
  expect(await isLate(withTimeLimit(LIMIT, () => waitForShared(shared.promise)))).toBe(true);
  const several = withTimeLimit(LIMIT, async () => {
    await isLate(waitForShared(shared.promise));
    // The others have only just arrived.
    return runWithFullLimit(() => db.execute(sql`select 1 as one`));
  });
  expect((await several).rows).toEqual([{ one: 1 }]);
  expect((await runWithFullLimit(() => db.execute(LONG))).rows).toHaveLength(1);
});

test("a shorter limit for one part leaves the request the rest of its time, and cannot extend it", async () => {
  const { db } = database;
  await withTimeLimit(60_000, async () => {
    expect(await isLate(withShorterTimeLimit(LIMIT, () => db.execute(ENDLESS)))).toBe(true);
    expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  });
  expect(await isLate(withTimeLimit(LIMIT, () => withShorterTimeLimit(60_000, () => db.execute(ENDLESS))))).toBe(true);
});

test("concurrent queries of one request share a connection, and each gets its own result", async () => {
  const { db, pool } = database;
  // Opens both connections first, so that neither request has to wait for one.
  (await takeConnections(pool))();
  const which = sql<{ pid: number }>`select pg_backend_pid() as pid`;
  const ask = (caller: string) =>
    runAsCaller(caller, () =>
      withTimeLimit(10_000, () => Promise.all(Array.from({ length: 8 }, () => db.execute(which)))),
    );
  const answers = await Promise.all([ask("ada"), ask("bob")]);
  const [one, two] = answers.map((each) => each.map(({ rows }) => rows[0]?.pid));
  expect([new Set(one).size, new Set(two).size, one?.[0] === two?.[0]]).toEqual([1, 1, false]);

  const mixed = await withTimeLimit(10_000, () =>
    Promise.allSettled([
      db.execute(sql`select 1 as one`),
      db.execute(sql`select 1 / 0`),
      pool.query("select 2 as two"),
    ]),
  );
  expect(mixed).toMatchObject([
    { status: "fulfilled", value: { rows: [{ one: 1 }] } },
    { status: "rejected" },
    { status: "fulfilled", value: { rows: [{ two: 2 }] } },
  ]);
  // The connections were returned.
  expect(await Promise.all([isLate(db.execute(which)), isLate(db.execute(which))])).toEqual([false, false]);
  expect(pool instanceof GuardedPool && pool.usage.inUse).toBe(0);
});
