import { afterAll, expect, test } from "vitest";
import { createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { recordTimeouts } from "../../tests/support/database/statement-limits.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { clearReadPositions } from "./queries.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

test("a restore clears the read positions of all sessions without a statement timeout", async () => {
  await seedMember(createTestDeps(database));
  await database.pool.query("update sessions set reads_from = '0/1'");
  const limits = await recordTimeouts(database.pool, "sessions");
  await clearReadPositions(database.db);
  expect(await limits()).toEqual(["0"]);
  expect((await database.pool.query("select from sessions where reads_from is not null")).rowCount).toBe(0);
});
