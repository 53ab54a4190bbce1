import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../db/transaction.ts";
import { readPointsLog, readStats } from "../points/contract.ts";
import { readContentPointsHistory } from "./contract.ts";
import { findContributions } from "./queries.ts";
import { recordContributions, type Contribution } from "./service.ts";

const { api, clock, database } = await openTestApi();

const record = (...contributions: Contribution[]) =>
  inTransaction(database.db, (tx) => recordContributions(tx, contributions, api.deps.env));

const contributionOf = (userId: string, index: number, kind: Contribution["kind"] = "post"): Contribution => ({
  userId,
  kind,
  reference: String(index),
  title: `Item ${index}`,
  gatheredAt: new Date(clock.now().getTime() - index * 60_000),
});

// specification: 1.3
test("gathered content earns points by its kind", async () => {
  const { token, user } = await seedMember(api.deps);

  await record(
    contributionOf(user.id, 1, "profile"),
    contributionOf(user.id, 1, "post"),
    contributionOf(user.id, 1, "comment"),
  );

  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 7.5 });
  expect(await api.read(readPointsLog, { token, query: { category: "Others" } })).toMatchObject({
    total: 3,
    data: expect.arrayContaining([expect.objectContaining({ points: 0.5, comment: "Comment: Item 1" })]),
  });
  expect(await api.read(readContentPointsHistory, { token })).toMatchObject({
    total: 3,
    data: expect.arrayContaining([
      { kind: "profile", title: "Item 1", points: 5, timestamp: "2026-11-20T11:59:00.000Z" },
    ]),
  });
});

test("counts an item once, even if it is recorded concurrently", async () => {
  const { token, user } = await seedMember(api.deps);
  const items = Array.from({ length: 20 }, (_, index) => contributionOf(user.id, index));

  const counts = await Promise.all([record(...items), record(...items.toReversed()), record(...items.slice(10))]);

  expect(counts.flat()).toHaveLength(20);
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 40 });
  expect((await api.read(readContentPointsHistory, { token })).total).toBe(20);
});

// specification: 9.18
test("pages list the newest content first, five items by default", async () => {
  const { token, user } = await seedMember(api.deps);
  const other = await seedMember(api.deps);
  await record(...Array.from({ length: 12 }, (_, index) => contributionOf(user.id, index)));
  await record(contributionOf(other.user.id, 0));
  const titles = async (query: Record<string, number>) =>
    (await api.read(readContentPointsHistory, { token, query })).data.map(({ title }) => title);

  expect(await titles({})).toEqual([0, 1, 2, 3, 4].map((index) => `Item ${index}`));
  expect(await titles({ page: 3 })).toEqual(["Item 10", "Item 11"]);
  expect(await titles({ page: 2, limit: 11 })).toEqual(["Item 11"]);
  expect(await api.read(readContentPointsHistory, { token, query: { page: 4 } })).toEqual({ data: [], total: 12 });
});

test("skips the content before a page in the index, without reading its rows", async () => {
  const { user } = await seedMember(api.deps);
  await database.db.execute(sql`
    insert into content_contributions (user_id, id, kind, reference, title, points, gathered_at)
    select ${user.id}::uuid, gen_random_uuid(), 'post', n, 'A title', 2, now() - n * interval '1 minute'
    from generate_series(1, 3000) as n`);
  await database.pool.query("vacuum (analyze) content_contributions");
  const { params, sql: text } = findContributions(database.db).getQuery();
  const given: Record<string, unknown> = { userId: user.id, limit: 5, offset: 500 };
  const values = params.map((param) => given[(param as { name: string }).name]);
  const { rows } = await database.pool.query<Record<"QUERY PLAN", string>>(
    `explain (analyze, costs off, timing off) ${text}`,
    values,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Index Only Scan using content_contributions_by_time .*rows=505/);
});

test("a member without content has an empty page", async () => {
  const { token } = await seedMember(api.deps);
  expect(await api.read(readContentPointsHistory, { token })).toEqual({ data: [], total: 0 });
});
