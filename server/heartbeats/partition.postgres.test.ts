import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { watchLocks } from "../../tests/support/database/lock-watch.ts";
import { unpartitionHeartbeats } from "../../tests/support/database/one-table.ts";
import { openTestDatabase } from "../../tests/support/database/test-database.ts";
import { isPartitioned } from "../db/months.ts";
import { heartbeats, pointsLedger } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { ADJUSTMENT_RULE } from "../points/rules.ts";
import { postPoints } from "../points/service.ts";
import { CAMPAIGN_RULE } from "../rewards/earning.ts";
import { removeOldMonths } from "../months/old-months.ts";
import { retryWhileLocked } from "../months/retry-while-locked.ts";
import { HEARTBEATS } from "./monthly.ts";
import { countBeats } from "./service.ts";

const database = await openTestDatabase();
const { db, pool } = database;
const deps = createTestDeps(database, { now: () => new Date() });
const { block, hold } = watchLocks(database);
afterAll(() => database.close());

const fixture = fileURLToPath(new URL("partition.fixture.ts", import.meta.url));
const settings = { heartbeatIntervalSeconds: 900, pointsPerHeartbeat: 25 };
const QUARTER = 900_000;
const newest = Math.floor(Date.now() / QUARTER) * QUARTER;
const isStored = new Set<string>();
const isPosted = new Set<string>();

/** Records a member's heartbeats from `from` to `to` quarter hours ago, and remembers those that counted. */
async function beat(userId: string, from: number, to: number) {
  const beats = Array.from({ length: to - from }, (_, index) => {
    return { userId, beatAt: new Date(newest - (from + index) * QUARTER), receivedAt: new Date() };
  });
  await inTransaction(db, (tx) => countBeats(tx, beats, settings));
  for (const { beatAt } of beats) isStored.add(`${userId} ${beatAt.toISOString()}`);
}

const nameAll = async () =>
  (await db.select().from(heartbeats)).map(({ slotAt, userId }) => `${userId} ${slotAt.toISOString()}`);

/** Posts a reward, which is not a heartbeat, and remembers it. */
async function reward(userId: string, sourceId: string) {
  const at = new Date(newest);
  const entry = { userId, rule: CAMPAIGN_RULE, sourceId, points: 10, comment: "A reward", occurredAt: at };
  await inTransaction(db, (tx) => postPoints(tx, [entry]));
  isPosted.add(`${userId} campaign ${sourceId}`);
}

const nameEntries = async () =>
  (await db.select().from(pointsLedger)).map(({ source, sourceId, userId }) =>
    source === "heartbeat" ? `${userId} ${sourceId}` : `${userId} ${source} ${sourceId}`,
  );

/** Creates a deleted member with an entry whose comment is removed while the table is converted. */
async function seedDeparted() {
  const { user } = await seedMember(deps);
  const entry = { userId: user.id, rule: ADJUSTMENT_RULE, sourceId: "gift", points: 5, comment: "For Ada" };
  const [posted] = await inTransaction(db, (tx) => postPoints(tx, [{ ...entry, occurredAt: new Date(newest) }]));
  await db.execute(sql`update users set deleted_at = now(), email = id::text, email_key = id::text, mailbox_key = '',
    campaign_mail = false, password_hash = null, personal_code = null where id = ${user.id}`);
  isPosted.add(`${user.id} adjustment ${posted?.id}`);
  return user.id;
}

const forgetWords = (userId: string) =>
  db
    .update(pointsLedger)
    .set({ comment: "Anonymous", sourceId: sql`id::text` })
    .where(sql`user_id = ${userId} and comment <> 'Anonymous'`);

/**
 * Runs the command until it reports progress on the given table, and kills it then. Without a table, runs it to the
 * end.
 */
async function partition(table?: string): Promise<number | null> {
  const child = fork(fixture, [pool.options.connectionString ?? ""]);
  child.on("message", (line: string) => {
    if (table && line.startsWith(`${table}: `)) child.kill("SIGKILL");
  });
  const [code] = await once(child, "exit");
  return code;
}

test("partitioning under load, killed halfway, neither loses nor duplicates a row", async () => {
  await unpartitionHeartbeats(pool);
  const members = await Promise.all(Array.from({ length: 2 }, () => seedMember(deps)));
  const ids = members.map(({ user }) => user.id);
  for (const id of ids) await beat(id, 3000, 3400);
  const departed = [];
  for (let count = 0; count < 40; count += 1) departed.push(await seedDeparted());
  const forgotten = departed.values();

  const ended = new AbortController();
  /** Keeps recording new heartbeats, old ones again and rewards, and keeps removing machine names and comments. */
  const load = ids.map(async (id, index) => {
    for (let at = 0; !ended.signal.aborted; at += 1) {
      await beat(id, at % 2900, (at % 2900) + 2);
      await beat(id, 3000 + (at % 100), 3001 + (at % 100));
      await reward(id, `${at % 200}`);
      const device = index % 2 === 0 ? null : crypto.randomUUID();
      const oldest = new Date(newest - (3399 - (at % 300)) * QUARTER);
      await db
        .update(heartbeats)
        .set({ deviceId: device })
        .where(sql`user_id = ${id} and slot_at = ${oldest.toISOString()}::timestamptz`);
      const next = at % 10 === 0 ? forgotten.next().value : undefined;
      if (next) await forgetWords(next);
    }
  });
  try {
    expect(await partition("Heartbeats")).toBeNull();
    expect(await isPartitioned(db, "heartbeats")).toBe(false);
    expect(await partition("The ledger")).toBeNull();
    expect(await isPartitioned(db, "heartbeats")).toBe(true);
    expect(await isPartitioned(db, "points_ledger")).toBe(false);
    expect(await partition()).toBe(0);
  } finally {
    ended.abort();
    await Promise.all(load);
  }
  expect(await isPartitioned(db, "points_ledger")).toBe(true);
  for (const id of departed) await forgetWords(id);
  const all = await nameAll();
  expect(all.length).toBe(new Set(all).size);
  expect(all.toSorted()).toEqual([...isStored].toSorted());
  expect((await nameEntries()).toSorted()).toEqual([...isStored, ...isPosted].toSorted());
  expect(await checkLedger(db)).toEqual([]);
});

test("creating a month waits for transactions that hold members, and blocks nobody else meanwhile", async () => {
  const [first, second] = [await seedMember(deps), await seedMember(deps)];
  const release = await hold(`update users set full_name = 'Ada' where id = '${first.user.id}'`);
  // Further ahead than the months that are created in advance.
  const [beating] = await block(() => retryWhileLocked(() => beat(second.user.id, -30_000, -29_999)));
  const rename = sql`update users set full_name = 'Bob' where id = ${second.user.id}`;
  let isRenamed = false;
  const renaming = db.execute(rename).then(() => (isRenamed = true));
  try {
    await expect.poll(() => isRenamed, { interval: 5 }).toBe(true);
  } finally {
    await release();
    await Promise.all([beating, renaming]);
  }
  expect((await nameAll()).filter((name) => name.startsWith(second.user.id))).toHaveLength(1);
});

test("removing an old month gives up while somebody reads it, and blocks no writer", async () => {
  const { user } = await seedMember(deps);
  await inTransaction(db, (tx) =>
    countBeats(tx, [{ userId: user.id, beatAt: new Date("2020-05-05T05:05:05Z"), receivedAt: new Date() }], settings),
  );
  const reader = await pool.connect();
  await reader.query("begin");
  await reader.query("select count(*) from heartbeats");
  const removing = removeOldMonths({ db, now: () => new Date() }, HEARTBEATS, 24).then(
    (removed) => removed,
    () => "busy",
  );
  // New requests are answered, whatever waits for the reader.
  await beat(user.id, 0, 2);
  expect(await removing).toBe("busy");
  await beat(user.id, 2, 4);
  await reader.query("commit");
  reader.release();
  const removed = await retryWhileLocked(() => removeOldMonths({ db, now: () => new Date() }, HEARTBEATS, 24));
  expect(removed).toEqual(["heartbeats_2020_05"]);
  expect(await checkLedger(db)).toEqual([]);
});
