import { afterAll, beforeEach, expect, test } from "vitest";
import { readAudit } from "../../../tests/support/api/administration.ts";
import { createTestApi, seedMember } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { PointsCategory, readPointsLog, readStats } from "../../points/contract.ts";
import { checkLedger } from "../../points/ledger/rebuild.ts";
import { startOperator } from "../operator.fixture.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
beforeEach(() => database.reset());
afterAll(() => database.close());

const adjust = ["points", "adjust", "ada@example.com"];
const why = ["--reason", "Lost in the outage of May"];

test("gives and takes points in rows with a reason, once for each key", async () => {
  const ops = await startOperator(api.deps);
  const { token, user } = await seedMember(api.deps, { email: "ada@example.com" });
  const give = () => ops(...adjust, "--points=100.5", "--key", "may", "--category", "Rewards", ...why);
  const said = await Promise.all(Array.from({ length: 5 }, give));
  expect(said.toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => "0 Nothing done: ada@example.com already has an adjustment with this key."),
    "0 ada@example.com: 100.5 points.",
  ]);
  const take = ["--points=-0.5", "--category", "Rewards", "--reason", "Too much"];
  expect(await ops(...adjust, ...take, "--key", "june")).toBe("0 ada@example.com: -0.5 points.");

  expect(await ops(...adjust, "--points=7", "--key", "may", "--category", "Rewards", ...why)).toBe(
    "1 Nothing changed: this was sent before as 100,5 points in Rewards. To make another adjustment as well, send the form again, or choose another key at the terminal.",
  );
  expect(await ops(...adjust, "--points=100.5", "--key", "may", ...why)).toMatch(
    /^1 Nothing changed: this was sent before/,
  );

  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 100 });
  const { data } = await api.read(readPointsLog, { token });
  expect(data.map(({ category, comment, points }) => [category, comment, points])).toEqual([
    ["Rewards", "Too much", -0.5],
    ["Rewards", "Lost in the outage of May", 100.5],
  ]);
  expect(await readAudit(database.db)).toMatchObject([
    { action: "points.adjusted", subjectId: user.id, details: { points: 100.5, category: "Rewards", key: "may" } },
    { action: "points.adjusted", subjectId: user.id, reason: "Too much" },
  ]);
  expect(await checkLedger(database.db)).toEqual([]);
});

test("refuses to take more points than a category has, and refuses invalid amounts", async () => {
  const ops = await startOperator(api.deps);
  const { token } = await seedMember(api.deps, { email: "ada@example.com" });
  await ops(...adjust, "--points=5", "--key", "a", ...why);
  const take = ["--key", "b", ...why];
  expect(await ops(...adjust, "--points=-5.01", ...take)).toBe(
    "1 The member has 5 points in Others. You cannot take more.",
  );
  for (const points of ["0", "0.001", "many", "1000001", "-1000001", "0x10", "1e2"])
    expect(await ops(...adjust, `--points=${points}`, ...take)).toMatch(/^2 /);
  for (const key of [" ", "x".repeat(101)])
    expect(await ops(...adjust, "--points=5", "--key", key, ...why)).toMatch(/^2 /);
  expect(await ops(...adjust, "--points=5", ...why)).toMatch(/^2 --key: Name the adjustment, with --key <name>\./);
  expect(await ops("points", "adjust", "nobody@example.com", "--points=5", ...take)).toMatch(/^1 No member/);
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 5 });
  expect(await readAudit(database.db)).toHaveLength(1);

  // Points of one category cannot be taken from another.
  await seedMember(api.deps, { email: "cleo@example.com" });
  for (const [nth, category] of PointsCategory.options.entries()) {
    const change = (points: number, key: string) =>
      ops("points", "adjust", "cleo@example.com", `--points=${points}`, "--key", key, "--category", category, ...why);
    await change(nth + 2, category);
    expect(await change(-100, "b")).toBe(`1 The member has ${nth + 2} points in ${category}. You cannot take more.`);
  }
});
