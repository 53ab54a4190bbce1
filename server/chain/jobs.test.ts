import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createAccount, seedChainMember } from "../../tests/support/chain/chain-member.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { chainJobs } from "../db/schema.ts";

const database = await createTestDatabase();
const { db } = database;
const api = createTestApi(database);
beforeEach(() => database.reset());
afterAll(() => database.close());

test("the database refuses a member's second job of a kind unless the first has failed", async () => {
  const member = await seedChainMember(api.deps);
  expect(await createAccount(api, member)).toMatchObject({ status: 200 });
  const [first] = await db.select().from(chainJobs);
  if (!first) throw new Error("There is no job");
  const insertSecond = () =>
    db.insert(chainJobs).values({ ...first, id: uuidv7(), consentDigest: "0x2", stationNonce: "2" });
  const finish = (state: typeof first.state) => db.update(chainJobs).set({ state }).where(eq(chainJobs.id, first.id));

  for (const state of ["queued", "signed", "sent", "mined", "completed", "finalized"] as const) {
    await finish(state);
    await expect(insertSecond()).rejects.toMatchObject({ cause: { constraint: "chain_jobs_active_unique" } });
  }
  await finish("failed");
  await expect(insertSecond()).resolves.toBeDefined();
});
