import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { createTestClock, createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { createBeat } from "../../tests/support/seeds/beats.ts";
import { readAudit } from "../../tests/support/api/administration.ts";
import { unpartitionHeartbeats } from "../../tests/support/database/one-table.ts";
import { openTestDatabase } from "../../tests/support/database/test-database.ts";
import { isPartitioned, listMonths, startOfMonth } from "../db/months.ts";
import { heartbeats } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { readJson, startOperator } from "../ops/operator.fixture.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { begin, copyNext, swap } from "../months/partition.queries.ts";
import { HEARTBEATS } from "./monthly.ts";

const database = await openTestDatabase();
const { db } = database;
const clock = createTestClock("2026-11-20T12:00:00.000Z");
const deps = createTestDeps(database, { now: clock.now });
afterAll(() => database.close());

const beat = createBeat(db, clock.now);
const readAll = () => db.select().from(heartbeats).orderBy(heartbeats.userId, heartbeats.slotAt);

test("an operator partitions existing heartbeats by month, even after an interruption", async () => {
  await unpartitionHeartbeats(database.pool);
  const ops = await startOperator(deps);
  const [first, second] = [await seedMember(deps), await seedMember(deps)];
  const times = ["2026-01-31T23:59:00Z", "2026-02-01T00:00:00Z", "2026-10-31T23:59:59Z", "2026-11-20T11:00:00Z"];
  await beat(first.user.id, times);
  await beat(second.user.id, times);
  expect(await ops("database", "status")).toMatch(/^0 Heartbeats: one table\./);
  expect(await ops("database", "retire", "--months", "1", "--reason", "Room")).toBe(
    "1 Heartbeats: one table, so no month can be removed. Divide it with: npm run ops -- database partition --reason <why>",
  );

  // As if the process had been killed at this point.
  await inTransaction(db, (tx) => begin(tx, HEARTBEATS, [startOfMonth(clock.now())]));
  for (const month of ["2026-01-01", "2026-02-01", "2026-10-01"]) {
    await db.execute(sql`select add_month('heartbeats_monthly', ${month}::timestamptz)`);
  }
  await inTransaction(db, (tx) => copyNext(tx, HEARTBEATS, 3));
  expect(await ops("database", "status")).toMatch(/Being divided: 3 rows copied so far\./);
  // Rows that are written or changed meanwhile, before and after the position of the copy.
  await beat(first.user.id, ["2026-11-20T11:30:00Z"]);
  await beat(second.user.id, ["2026-11-20T11:30:00Z"]);
  await db
    .update(heartbeats)
    .set({ deviceId: crypto.randomUUID() })
    .where(sql`slot_at >= '2026-11-20'`);
  const before = await readAll();

  expect(await ops("database", "partition", "--reason", "It grows")).toBe(
    "0 Heartbeats: divided by month, 10 rows copied.\nThe ledger: divided by month, 10 rows copied.",
  );
  expect(await isPartitioned(db, "heartbeats")).toBe(true);
  expect(await readAll()).toEqual(before);
  expect(await checkLedger(db)).toEqual([]);
  expect((await readAudit(db)).map(({ action }) => action)).toEqual(["database.partitioned", "database.partitioned"]);

  // The same heartbeat is still a duplicate, and the next month exists.
  expect(await beat(first.user.id, times)).toBe(0);
  expect(await beat(first.user.id, ["2027-02-01T00:00:00Z"])).toBe(1);
  const stranger = { userId: crypto.randomUUID(), slotAt: clock.now(), beatAt: clock.now() };
  await expect(db.insert(heartbeats).values(stranger)).rejects.toMatchObject({ cause: { code: "23503" } });
  expect(await ops("database", "partition", "--reason", "Again")).toBe(
    "0 Heartbeats: already divided by month.\nThe ledger: already divided by month.",
  );

  const retired = await ops("database", "retire", "--months", "1", "--reason", "Room");
  expect(retired).toMatch(/^0 Removed heartbeats_2026_01\.\n(Removed .*\n)+Removed heartbeats_2026_09\.$/);
  expect(await ops("database", "retire", "--months", "1", "--reason", "Room")).toBe("0 There is nothing that old.");
  // One entry per month, written when it is removed.
  const removed = Array.from(retired.matchAll(/Removed (\w+)\./g), ([, name]) => ({ months: 1, removed: [name] }));
  const entries = (await readAudit(db)).filter(({ action }) => action === "database.retired");
  expect(entries.map(({ details }) => details)).toEqual(removed);
  expect((await listMonths(db, "heartbeats")).map(({ name }) => name)[0]).toBe("heartbeats_2026_10");
  expect(await checkLedger(db)).toEqual([]);
  expect(readJson(await ops("database", "status", "--json"))).toMatchObject([
    { table: "heartbeats", divided: true, copied: null, keptFrom: "2026-10-01T00:00:00.000Z" },
    { table: "points_ledger", divided: true, copied: null, keptFrom: null },
  ]);
  // Each table reports on its own rows.
  expect(await ops("database", "retire", "--months", "1", "--of", "ledger", "--reason", "Room")).toMatch(/^0 Removed /);
  expect((await ops("database", "status")).match(/(?:Heartbeats|The ledger): .*|Of heartbeats .*/g)).toEqual([
    "Heartbeats: divided by month.",
    "Of heartbeats from before 2026-10-01T00:00:00.000Z, only sums are left here.",
    "The ledger: divided by month.",
    "Of heartbeats from before 2026-10-01T00:00:00.000Z, only sums are left here.",
  ]);
  // As by a process that checked whether the table is partitioned just before it was.
  await inTransaction(db, (tx) => begin(tx, HEARTBEATS, [startOfMonth(clock.now())]));
  expect(await ops("database", "status")).not.toContain("Being divided");
  // A new partition has not been counted yet, which is not the same as empty.
  expect(await ops("database", "status")).toMatch(/\npoints_ledger_2026_10 {2}[\d.]+ MB, rows not counted yet\n/);
});

test("a second run that starts during the first ends when the first is done", async () => {
  await unpartitionHeartbeats(database.pool);
  const ops = await startOperator(deps);
  const partition = () => ops("database", "partition", "--reason", "It seems to hang");
  expect((await Promise.all([partition(), partition()])).toSorted()).toEqual([
    expect.stringMatching(/^0 Heartbeats: already divided by month\./),
    expect.stringMatching(/^0 Heartbeats: divided by month, \d+ rows copied\./),
  ]);
});

test("a column that is added while heartbeats are half partitioned blocks no beat and is copied too", async () => {
  await unpartitionHeartbeats(database.pool);
  const ops = await startOperator(deps);
  const { user } = await seedMember(deps);
  await beat(user.id, ["2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z"]);
  await inTransaction(db, (tx) => begin(tx, HEARTBEATS, [startOfMonth(clock.now())]));
  await inTransaction(db, (tx) => copyNext(tx, HEARTBEATS, 1));

  await db.execute(sql`alter table heartbeats add column relay text default 'none'`);
  expect(await beat(user.id, ["2026-11-20T11:00:00Z"])).toBe(1);
  await db.execute(sql`update heartbeats set relay = 'attic' where slot_at = '2026-11-02T00:00:00Z'`);
  // As for a process that was copying when the migration ran.
  const swapping = inTransaction(db, (tx) => swap(tx, HEARTBEATS, 500));
  await expect(swapping).rejects.toMatchObject({ code: "CONFLICT" });

  expect(await ops("database", "partition", "--reason", "It grows")).toMatch(
    /^0 Heartbeats: divided by month, \d+ rows copied\./,
  );
  const relays = await db.execute(sql`select relay from heartbeats where user_id = ${user.id} order by slot_at`);
  expect(relays.rows).toEqual([{ relay: "none" }, { relay: "attic" }, { relay: "none" }]);
  expect(await isPartitioned(db, "heartbeats")).toBe(true);
});
