import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { eraseDueAccounts } from "../../tests/support/api/jobs.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { accountDeletions } from "../db/schema.ts";
import { readUser } from "../profile/contract.ts";
import { DELETION_GRACE_SECONDS, keepAccount, requestDeletion } from "./contract.ts";

const GRACE = DELETION_GRACE_SECONDS * 1000;

const database = await createTestDatabase();
const { db } = database;
beforeEach(() => database.reset());
afterAll(() => database.close());

/** Creates a member who has just asked for the deletion of their account, by the database's clock. */
async function leave() {
  const clock = createTestClock(new Date());
  const api = createTestApi(database, { now: clock.now });
  const { token } = await seedMember(api.deps);
  await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
  const erase = () => eraseDueAccounts(api.deps, createEmbeddedProvider(api.deps));
  return { api, clock, erase, token };
}

test("a clock that is ahead does not shorten the grace period: the account can still be kept", async () => {
  const { api, clock, erase, token } = await leave();
  clock.advance(GRACE);
  expect(await erase()).toBe(0);
  clock.advance(60_000);
  expect(await erase()).toBe(0);
  expect(await db.select().from(accountDeletions)).toMatchObject([{ closedAt: null }]);

  clock.advance(-GRACE);
  expect((await api.read(readUser, { token })).deletion_due_at).toBeDefined();
  expect(await api.read(keepAccount, { token })).toMatchObject({ success: true });
});

test("a clock that is ahead does not shorten the minute between closing and deleting an account", async () => {
  const { clock, erase } = await leave();
  await db.update(accountDeletions).set({ dueAt: new Date(Date.now() - 1) });
  clock.advance(GRACE);
  expect(await erase()).toBe(0);
  const [deletion] = await db.select().from(accountDeletions);
  expect(deletion?.closedAt?.getTime()).toBeLessThan(clock.now().getTime() - GRACE / 2);
  clock.advance(60_000);
  expect(await erase()).toBe(0);

  await db.update(accountDeletions).set({ closedAt: new Date(Date.now() - 60_000) });
  clock.advance(60_000);
  expect(await erase()).toBe(1);
});
