import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readAudit } from "../../../tests/support/api/administration.ts";
import { createTestDeps, seedMember } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { startOperator } from "../operator.fixture.ts";

const database = await createTestDatabase();
const deps = createTestDeps(database);
beforeEach(() => database.reset());
afterAll(() => database.close());

const why = ["--reason", "Agreed with the team"];

test("checks the ledger and corrects its sums", async () => {
  const ops = await startOperator(deps);
  const { user } = await seedMember(deps);
  await deps.db.execute(sql`insert into points_totals (user_id, others) values (${user.id}, 12)`);

  expect(await ops("ledger", "check")).toMatch(
    /^1 points_totals of [-\w]+: others 12 should be 0\n1 difference\. Correct them with: /,
  );
  expect(await ops("ledger", "rebuild", ...why)).toMatch(/^0 [^]*corrected/);
  expect(await ops("ledger", "check", "--json")).toBe("0 []");
  expect(await readAudit(deps.db)).toMatchObject([{ action: "ledger.rebuilt", subjectId: user.id }]);
});
