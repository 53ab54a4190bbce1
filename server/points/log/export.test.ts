import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedMember } from "../../../tests/support/api/api.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { ledgerDays, pointsDaily } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { sumPoints } from "../amount.ts";
import { exportPointsLog, readPointsLog } from "../contract.ts";
import { exportLog } from "./export.ts";
import { postPoints, type PointsEntry } from "../service.ts";
import { HEARTBEAT_RULE } from "../../heartbeats/earning.ts";
import { CAMPAIGN_RULE } from "../../rewards/earning.ts";
import { GENESIS_RULE } from "../rules.ts";

const { api, clock, database } = await openTestApi();
const { db } = api.deps;

const HOUR = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(clock.now().getTime() - hours * HOUR);
const HEAD = "time,category,points,comment,source,source id,rule,rule version,running total";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

type Query = Record<string, string>;

const post = (entries: PointsEntry[]) => inTransaction(db, (tx) => postPoints(tx, entries));
const entryOf = (userId: string, index: number, entry: Partial<PointsEntry> = {}): PointsEntry => ({
  userId,
  rule: index % 4 === 0 ? CAMPAIGN_RULE : HEARTBEAT_RULE,
  sourceId: index % 4 === 0 ? `event ${index}` : hoursAgo(index * 5).toISOString(),
  points: index % 5 === 0 ? -25 : index + 0.5,
  comment: `Event ${index}`,
  occurredAt: hoursAgo(index * 5),
  ...entry,
});

/** Downloads the file. Returns its text without the byte order mark, its name and its rows. */
async function readFile(token: string, query: Query = {}) {
  const { body, headers, status } = await api.call(exportPointsLog, { token, query });
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("Cache-Control")).toBe("no-store");
  const text = String(body);
  const name = /^attachment; filename="(.+)"$/.exec(headers.get("Content-Disposition") ?? "")?.[1];
  return { text, name, lines: text.split("\r\n").slice(1, -1) };
}

test("the file has every row, newest first, with its source, its rule and the running total", async () => {
  const { user, token } = await seedMember(api.deps);
  await post([
    entryOf(user.id, 0, { points: -25, comment: "Taken back" }),
    entryOf(user.id, 1, { points: 1000.5, comment: 'Zwölf "Grüße",\nsehr lieb' }),
    entryOf(user.id, 2, { rule: GENESIS_RULE, points: 2000, comment: "Genesis" }),
  ]);

  const { name, text } = await readFile(token);

  expect(name).toBe("points-log-2026-11-20.csv");
  expect(text).toBe(
    [
      HEAD,
      "2026-11-20T12:00:00.000Z,Rewards,-25,Taken back,campaign,event 0,campaign-bonus,1,2975.5",
      '2026-11-20T07:00:00.000Z,Connectivity,1000.5,"Zwölf ""Grüße"",\nsehr lieb",heartbeat,2026-11-20T07:00:00.000Z,points-per-heartbeat,1,3000.5',
      "2026-11-20T02:00:00.000Z,Others,2000,Genesis,genesis,2026-11-20T02:00:00.000Z,genesis-snapshot,1,2000",
      "",
    ].join("\r\n"),
  );
});

test("the file begins with a UTF-8 byte order mark, even if it has no rows", async () => {
  const { token } = await seedMember(api.deps);
  for (const query of ["", "?startDate=2026-11-20&endDate=2026-11-01"]) {
    const response = await api.fetch(
      new Request(`http://api.test/api/users/points-log/export${query}`, {
        headers: { Authorization: `Bearer ${token}` },
      }),
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.subarray(3).toString()).toBe(`${HEAD}\r\n`);
  }
});

test.each<[Query, string]>([
  [{}, "points-log-2026-11-20.csv"],
  [{ category: "Rewards" }, "points-log-rewards-2026-11-20.csv"],
  [
    { category: "Connectivity", startDate: "2026-05-01", endDate: "2026-10-31" },
    "points-log-connectivity-2026-05-01-to-2026-10-31.csv",
  ],
  [{ startDate: "2026-08-01T05:00:00Z" }, "points-log-2026-08-01-to-2026-11-20.csv"],
  [{ endDate: "2026-05-01" }, "points-log-start-to-2026-05-01.csv"],
  [
    { startDate: "2026-05-01T01:00:00+02:00", endDate: "2026-10-31T23:00:00-02:00" },
    "points-log-2026-04-30-to-2026-11-01.csv",
  ],
])("has exactly the rows that the log has for %o, in a file named %s", async (query, expected) => {
  const { user, token } = await seedMember(api.deps);
  const other = await seedMember(api.deps);
  // More than one batch. Many rows of one instant lie across the boundary.
  const together = new Date("2026-05-20T10:00:00Z");
  const entries = Array.from({ length: 1500 }, (_, index) =>
    entryOf(
      user.id,
      index,
      index >= 900 && index < 1100
        ? { occurredAt: together, sourceId: new Date(together.getTime() - index).toISOString() }
        : {},
    ),
  );
  await post([...entries, entryOf(other.user.id, 1)]);

  const { name, lines } = await readFile(token, query);

  expect(name).toBe(expected);
  const log = await readWholeLog(token, query);
  expect(lines.map((line) => line.split(",").slice(0, 4))).toEqual(
    log.map(({ category, comment, points, timestamp }) => [timestamp, category, String(points), comment]),
  );
  const totals = await sumUp(token);
  expect(lines.map((line) => Number(line.split(",").at(-1)))).toEqual(log.map(({ id = "" }) => totals.get(id)));
});

test("the running total counts removed heartbeats at the start of their day", async () => {
  const { user, token } = await seedMember(api.deps);
  await post([
    entryOf(user.id, 0, { points: 10, occurredAt: new Date("2026-11-19T12:00:00Z") }),
    entryOf(user.id, 4, { points: 100, occurredAt: new Date("2026-11-18T12:00:00Z") }),
  ]);
  const gone = { userId: user.id, category: "Connectivity" as const, entries: 1 };
  const days = [
    { ...gone, day: "2026-11-18", points: 5 },
    { ...gone, day: "2026-11-19", points: 25 },
  ];
  await db.insert(ledgerDays).values(days);
  await db.insert(pointsDaily).values(days);

  const { lines } = await readFile(token);

  expect(lines.map((line) => Number(line.split(",").at(-1)))).toEqual([140, 105]);
});

async function readWholeLog(token: string, query: Query = {}) {
  const first = await api.read(readPointsLog, { token, query: { ...query, limit: 100 } });
  const { data } = first;
  for (let page = 2; data.length < first.total; page++)
    data.push(...(await api.read(readPointsLog, { token, query: { ...query, limit: 100, page } })).data);
  return data;
}

/** Computes the points after each row, by its id. */
async function sumUp(token: string) {
  const log = (await readWholeLog(token)).toReversed();
  const totals = new Map<string, number>();
  let total = 0;
  for (const { id = "", points } of log) totals.set(id, (total = sumPoints([total, points])));
  return totals;
}

test.each([
  ["=1+1", "'=1+1"],
  ["+49 30", "'+49 30"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "\"'\t'=1\""],
  ["＝1+1", "'＝1+1"],
  [" =1+1", "' =1+1"],
  ["  =1+1", "'  =1+1"],
  ["  a = 1", "  a = 1"],
  ["a;=1+1", "a;'=1+1"],
  ["a; b", "a; b"],
  ["1 + 1 = 2", "1 + 1 = 2"],
])("a spreadsheet does not read %j as a formula", async (comment, cell) => {
  const { user, token } = await seedMember(api.deps);
  await post([entryOf(user.id, 1, { comment, points: -2.5 })]);

  const { lines } = await readFile(token);

  // A tab needs no quotes in the file, so the expected cell is compared without them.
  expect(lines[0]).toBe(
    `2026-11-20T07:00:00.000Z,Connectivity,-2.5,${cell.replaceAll('"', "")},heartbeat,2026-11-20T07:00:00.000Z,points-per-heartbeat,1,-2.5`,
  );
});

test("a formula sign after a space or a column separator does not start a formula in a spreadsheet", async () => {
  const { user, token } = await seedMember(api.deps);
  const signs = Array.from("=+-@＝＋－＠");
  const comments = signs.flatMap((sign) => [` ${sign}1`, `a;${sign}1`, `a\t ${sign}1`]);
  await post(comments.map((comment, index) => entryOf(user.id, index, { comment })));

  const { lines } = await readFile(token);

  const cells = signs.flatMap((sign) => [`' ${sign}1`, `a;'${sign}1`, `a\t '${sign}1`]);
  expect(lines.map((line) => line.split(",")[3])).toEqual(cells);
});

test("a comment of several lines is one cell, and none of its lines starts a formula", async () => {
  const { user, token } = await seedMember(api.deps);
  const comments = ["a\n=1", "b\r@1", "c\r\n +1"];
  await post(comments.map((comment, index) => entryOf(user.id, index, { comment })));

  const { body } = await api.call(exportPointsLog, { token });

  for (const cell of ["a\n'=1", "b\r'@1", "c\r\n '+1"]) expect(body).toContain(`,"${cell}",`);
});

test("rejects invalid dates and categories, and callers who are not signed in", async () => {
  const { token } = await seedMember(api.deps);
  const { status, body } = await api.call(exportPointsLog, { token, query: { startDate: "soon", category: "x" } });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: "VALIDATION_ERROR", fields: { startDate: [expect.any(String)] } });
  expect(await api.call(exportPointsLog, { token, query: { category: "x" } })).toMatchObject({
    status: 400,
    body: { error: "VALIDATION_ERROR", fields: { category: [expect.any(String)] } },
  });
  expect((await api.call(exportPointsLog)).status).toBe(401);
});

test("streams 40,000 rows without keeping them in memory", async () => {
  const { user } = await seedMember(api.deps);
  await postMany(user.id, 40_000);
  const stream = (await exportLog({ db, now: clock.now }, user.id, {})).toResponse(() => {}).body;
  if (!stream) throw new Error("A file has a body");

  const before = memory();
  let [lines, most, largest] = [0, -Infinity, 0];
  for await (const chunk of stream) {
    lines += Buffer.from(chunk).toString().split("\r\n").length - 1;
    largest = Math.max(largest, chunk.length);
    if (lines % 10_000 < 1000) most = Math.max(most, memory() - before);
  }

  expect(lines).toBe(40_001);
  expect(largest).toBeLessThan(256 * 1024);
  // The whole file has about four million bytes, and its rows take five times as much memory.
  expect(most).toBeLessThan(8 * 1024 * 1024);
});

/** Returns how much memory is in use after garbage collection, in bytes. */
function memory() {
  collectGarbage();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}

/** Inserts one row per quarter of an hour, inside the database. */
async function postMany(userId: string, count: number) {
  await db.execute(sql`
    insert into points_ledger (user_id, id, category, points, comment, source, source_id, rule, rule_version, occurred_at)
    select ${userId}, gen_random_uuid(), 'Connectivity', 25, 'Heartbeat', 'heartbeat',
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'points-per-heartbeat', 1, at
    from generate_series(1, ${count}::integer) as n,
      lateral (select '2026-11-20T12:00:00Z'::timestamptz - n * interval '15 minutes' as at) as beat`);
  await db.execute(sql`
    insert into points_daily (user_id, day, category, points, entries)
    select user_id, (occurred_at at time zone 'UTC')::date, category, sum(points), count(*) from points_ledger
    where user_id = ${userId} group by 1, 2, 3`);
  await db.execute(sql`analyze points_ledger`);
}

test("no connection is held between two batches", async () => {
  const { user } = await seedMember(api.deps);
  await post(Array.from({ length: 1200 }, (_, index) => entryOf(user.id, index)));
  const reader = (await exportLog({ db, now: clock.now }, user.id, {})).toResponse(() => {}).body?.getReader();

  await reader?.read();
  await reader?.read();

  expect(database.pool.totalCount - database.pool.idleCount).toBe(0);
  await reader?.cancel();
});
