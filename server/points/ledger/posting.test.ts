import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedMember } from "../../../tests/support/api/api.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../../db/transaction.ts";
import { readPointsHistory, readPointsLog, readStats } from "../contract.ts";
import { postPoints, type PointsEntry } from "../service.ts";
import { CAMPAIGN_RULE } from "../../rewards/earning.ts";
import { GENESIS_RULE } from "../rules.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;

const post = (entries: PointsEntry[]) => inTransaction(db, (tx) => postPoints(tx, entries));

const entryOf = (userId: string, entry: Partial<PointsEntry> = {}): PointsEntry => ({
  userId,
  rule: CAMPAIGN_RULE,
  sourceId: "follow",
  points: 250,
  comment: "Follow us on X",
  occurredAt: clock.now(),
  ...entry,
});

test("an event counts once, whether it is posted twice in one batch, in two, or concurrently", async () => {
  const { user, token } = await seedMember(api.deps);
  const entry = entryOf(user.id);

  expect(await post([entry, { ...entry, points: 900 }])).toEqual([
    { userId: user.id, id: expect.any(String), source: "campaign", sourceId: "follow" },
  ]);
  expect(await post([entry])).toEqual([]);
  const again = await Promise.all(Array.from({ length: 6 }, () => post([entryOf(user.id, { sourceId: "share" })])));

  expect(again.flat()).toHaveLength(1);
  expect((await api.read(readStats, { token })).points_total).toBe(500);
});

test("concurrent postings for the same members in opposite orders all succeed", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedMember(api.deps)];
  const rounds = Array.from({ length: 12 }, (_, round) =>
    [ada, bob].map(({ user }) => entryOf(user.id, { sourceId: `round ${round}` })),
  );

  await Promise.all(rounds.map((entries, round) => post(round % 2 ? entries : entries.toReversed())));

  for (const { token } of [ada, bob]) expect((await api.read(readStats, { token })).points_total).toBe(3000);
});

test("a row names the rule, and its version, that decided the amount", async () => {
  const { user } = await seedMember(api.deps);
  await post([entryOf(user.id, { rule: GENESIS_RULE, sourceId: "snapshot", points: 2000.5 })]);

  const { rows } = await db.execute(
    sql`select category, points, source, source_id, rule, rule_version from points_ledger`,
  );

  expect(rows).toEqual([
    {
      category: "Others",
      points: "2000.50",
      source: "genesis",
      source_id: "snapshot",
      rule: "genesis-snapshot",
      rule_version: 1,
    },
  ]);
});

test("an amount with more than two decimals is refused, not rounded", async () => {
  const { user, token } = await seedMember(api.deps);
  for (const points of [0.001, 1.005, Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(post([entryOf(user.id), entryOf(user.id, { sourceId: "odd", points })])).rejects.toThrow(RangeError);
  }
  expect((await api.read(readStats, { token })).points_total).toBe(0);
});

test("several entries of one member, day and category in one posting all count towards the day", async () => {
  const { user, token } = await seedMember(api.deps);
  await post([10, 20, 30].map((points, index) => entryOf(user.id, { sourceId: `c${index}`, points })));

  const { history, pointsTotal, totalEntries } = await api.read(readPointsHistory, {
    token,
    query: { range: "last7days" },
  });

  expect({ pointsTotal, totalEntries }).toEqual({ pointsTotal: 60, totalEntries: 3 });
  expect(history.data.at(-1)).toMatchObject({ date: "2026-11-20", rewards: 60, total: 60 });
});

test("sums are exact where floating point is not", async () => {
  const { user, token } = await seedMember(api.deps);
  await post([0.1, 0.2, 0.7, 4.35].map((points, index) => entryOf(user.id, { sourceId: `c${index}`, points })));

  const stats = await api.read(readStats, { token });

  expect(stats.points_total).toBe(5.35);
  expect(stats.points_today).toBe(5.35);
});

test("nothing is posted when the transaction around it fails", async () => {
  const { user, token } = await seedMember(api.deps);
  const failing = inTransaction(db, async (tx) => {
    await postPoints(tx, [entryOf(user.id)]);
    throw new Error("no");
  });

  await expect(failing).rejects.toThrow("no");
  expect((await api.read(readStats, { token })).points_total).toBe(0);
  expect((await api.read(readPointsLog, { token })).total).toBe(0);
});

test.each([
  ["update", sql`update points_ledger set points = points * 2`],
  ["delete", sql`delete from points_ledger`],
  ["truncate", sql`truncate points_ledger`],
])("the database refuses to %s the ledger", async (_, statement) => {
  const { user, token } = await seedMember(api.deps);
  await post([entryOf(user.id)]);

  await expect(db.execute(statement)).rejects.toMatchObject({
    cause: { message: expect.stringContaining("append-only") },
  });
  expect((await api.read(readPointsLog, { token })).data).toMatchObject([{ points: 250 }]);
});
