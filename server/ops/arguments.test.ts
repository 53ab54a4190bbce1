import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { campaigns } from "../db/schema.ts";
import { startOperator } from "./operator.fixture.ts";

const database = await createTestDatabase();
const deps = createTestDeps(database);
beforeEach(() => database.reset());
afterAll(() => database.close());

const why = ["--reason", "Agreed with the team"];

test("refuses a missing or empty reason and one of more than 500 characters, each with a message", async () => {
  const ops = await startOperator(deps);
  const { user } = await seedMember(deps);
  const block = (...reason: string[]) => ops("members", "block", user.email, ...reason);
  for (const reason of [[], ["--reason", ""], ["--reason", " "]])
    expect(await block(...reason)).toContain("Give a reason, with --reason <why>.");
  const long = await block("--reason", "x".repeat(501));
  expect(long).toContain("Use 500 characters at most.");
});

test("refuses an option that is given twice", async () => {
  const ops = await startOperator(deps);
  const { user } = await seedMember(deps);
  const adjust = ["points", "adjust", user.email, "--key", "may", ...why];
  expect(await ops(...adjust, "--points=5", "--points", "7")).toMatch(/^2 --points was given twice: give it once\./);
  expect(await ops(...adjust, "--points=5", "--reason", "Another")).toMatch(/^2 --reason was given twice/);
});

test.each([
  [["whitelist", "set", "a@example.com", "b.example"], "b.example: That is not an email address."],
  [["campaigns", "complete", "x", "a@example.com", "b.example"], "b.example: Name a member by email address or id."],
  [["webhooks", "add", "https://a.example", "member.gone"], "member.gone: Name events among"],
  [
    ["campaigns", "complete", "x", "a@example.com", "b@example.com", "--completed-at", "now"],
    "--completed-at: Write a time as 2026-12-01T00:00:00Z.\n\n",
  ],
  [
    ["campaigns", "complete", "x".repeat(65), "a@example.com", "b@example.com"],
    "campaignId: That is not the id of a campaign.\n\n",
  ],
])("names the wrong argument of %j once, as it was typed", async (args, message) => {
  const ops = await startOperator(deps);
  expect((await ops(...args, ...why)).startsWith(`2 ${message}`)).toBe(true);
});

test("refuses numbers with a thousands separator, as our pages write them", async () => {
  const ops = await startOperator(deps);
  const { user } = await seedMember(deps);
  for (const points of ["--points=1.000", "--points=-10.000"])
    expect(await ops("points", "adjust", user.email, points, "--key", "may", ...why)).toMatch(
      /^2 .*a number of points/s,
    );
});

test("refuses an empty value for a number", async () => {
  const ops = await startOperator(deps);
  const create = ["campaigns", "create", "survey", "--name", "Survey", "--form-url", "https://forms.example", ...why];
  for (const empty of ["", " "]) {
    const said = await ops(...create, "--bonus-points", "5", `--task-number=${empty}`);
    expect(said).toMatch(/^2 .*--task-number: /s);
  }
  expect(await database.db.$count(campaigns)).toBe(0);
});
