import { eq, sql } from "drizzle-orm";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasPgBouncer, startPgBouncer } from "../../tests/support/database/pgbouncer.ts";
import { startPostgres, type TestPostgres } from "../../tests/support/database/postgres.ts";
import { runOn } from "../../tests/support/database/test-database.ts";
import { SPRING } from "./campaign.fixture.ts";
import { HEARTBEATS } from "../heartbeats/monthly.ts";
import { detachMonth } from "../months/old-months.queries.ts";
import { retryWhileLocked } from "../months/retry-while-locked.ts";
import { openDatabase, type Database, type Db, type Tx } from "./client.ts";
import { listMonths } from "./months.ts";
import { prepared } from "./prepared.ts";
import { campaigns } from "./schema.ts";
import { inTransaction } from "./transaction.ts";
import { findErrorCode, isDatabaseUnavailable } from "./unavailable.ts";

const log = pino({ level: "silent" });

const findCampaign = prepared((db) =>
  db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(eq(campaigns.id, sql.placeholder("id")))
    .prepare("test_find_by_pooler"),
);

const findSpring = (db: Db | Tx) => findCampaign(db).execute({ id: "spring" });

const LIMITS = sql`select current_setting('statement_timeout') as statement,
                          current_setting('idle_in_transaction_session_timeout') as idle`;

describe.skipIf(!hasPgBouncer)("behind PgBouncer in transaction mode", () => {
  let server: TestPostgres;
  let pooler: TestPostgres;
  let databases: Database[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    pooler = await startPgBouncer(server.url);
  });
  afterEach(async () => {
    await Promise.all(databases.map((database) => database.close()));
    databases = [];
    await runOn(server.url, "truncate campaigns cascade");
  });
  afterAll(async () => {
    await pooler.stop();
    await server.stop();
  });

  async function open(): Promise<Database> {
    const database = await openDatabase({ databaseUrl: pooler.url, dataDir: "", log });
    databases.push(database);
    return database;
  }

  test("processes that start concurrently all come up, migrate once, and leave no lock", async () => {
    const [first] = await Promise.all([open(), open(), open()]);
    const { rows } = await first.db.execute(
      sql`select count(*)::int = count(distinct hash)::int as once, (select count(*)::int from pg_locks where locktype = 'advisory') as locks
            from drizzle.__drizzle_migrations`,
    );
    expect(rows).toEqual([{ once: true, locks: 0 }]);
    expect(await first.check()).toEqual({ ok: true });
  });

  test("named prepared statements work from processes that share connections", async () => {
    const [one, other] = await Promise.all([open(), open()]);
    await one.db.insert(campaigns).values(SPRING);
    const asked = Array.from({ length: 60 }, (_, index) => {
      const { db } = index % 2 ? one : other;
      return index % 3 ? findSpring(db) : inTransaction(db, findSpring);
    });
    expect(await Promise.all(asked)).toEqual(asked.map(() => [{ id: "spring" }]));
  });

  test("every statement has its time limits, and none of them stay on the connection", async () => {
    const { db } = await open();
    const limits = [{ statement: "30s", idle: "1min" }];
    expect((await db.execute(LIMITS)).rows).toEqual(limits);
    expect((await inTransaction(db, (tx) => tx.execute(LIMITS))).rows).toEqual(limits);
    const strict = await inTransaction(
      db,
      async (tx) => [(await tx.execute(sql`show transaction_isolation`)).rows, (await tx.execute(LIMITS)).rows],
      { isolationLevel: "serializable" },
    );
    expect(strict).toEqual([[{ transaction_isolation: "serializable" }], limits]);

    const another = new Client(pooler.url);
    await another.connect();
    expect((await another.query("show statement_timeout")).rows).toEqual([{ statement_timeout: "0" }]);
    await another.end();
  });

  test("a failing single statement returns its error and changes nothing, and the next one works", async () => {
    const { db } = await open();
    await db.insert(campaigns).values(SPRING);
    const refused = await db
      .insert(campaigns)
      .values([{ ...SPRING, id: "autumn" }, SPRING])
      .catch((error: unknown) => error);
    expect(findErrorCode(refused)).toBe("23505");
    expect(await db.select({ id: campaigns.id }).from(campaigns)).toEqual([{ id: "spring" }]);
  });

  test("a month that an operator left half detached from its table is detached", async () => {
    const { db } = await open();
    const [first] = await listMonths(db, "heartbeats");
    const name = first?.name ?? "";
    const [reader, operator] = [new Client(server.url), new Client(server.url)];
    await Promise.all([reader.connect(), operator.connect()]);
    await reader.query("begin; select from heartbeats");
    await operator.query("set lock_timeout = 200");
    const detaching = operator.query(`alter table heartbeats detach partition ${name} concurrently`);
    await expect(detaching).rejects.toMatchObject({ code: "55P03" });
    await Promise.all([reader.end(), operator.end()]);

    const leaving = (await listMonths(db, "heartbeats")).filter(({ isLeaving }) => isLeaving);
    expect(leaving).toEqual([{ ...first, isLeaving: true }]);
    for (const month of leaving) await retryWhileLocked(() => detachMonth(db, HEARTBEATS, month));
    expect((await listMonths(db, "heartbeats")).map((month) => month.name)).not.toContain(name);
  });

  test("waiting too long for a pooler connection fails with 503, and queries work once one is free", async () => {
    const { db } = await open();
    const holders = [new Client(pooler.url), new Client(pooler.url)];
    for (const holder of holders) {
      await holder.connect();
      await holder.query("begin");
    }
    const refused = await Promise.all([
      db.execute(sql`select 1`).catch((error: unknown) => error),
      inTransaction(db, (tx) => tx.execute(sql`select 1`)).catch((error: unknown) => error),
    ]);
    expect(refused.map(isDatabaseUnavailable)).toEqual([true, true]);
    for (const holder of holders) await holder.end();
    await expect.poll(() => db.execute(sql`select 1 as one`).then(({ rows }) => rows, String)).toEqual([{ one: 1 }]);
  });
});
