import { and, eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, createTestClock, TEST_PASSWORD } from "../../tests/support/api.ts";
import { seedFullMember } from "../../tests/support/full-member.ts";
import { eraseDueAccounts } from "../../tests/support/jobs.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { chainJobs, users } from "../db/schema.ts";
import { DELETION_GRACE_SECONDS, requestDeletion } from "./contract.ts";

const database = await createTestDatabase();
const { db } = database;
// In the past, so that days of grace which have ended by it have ended by the database's clock too.
const clock = createTestClock("2026-01-20T12:00:00.000Z");
const api = createTestApi(database, { now: clock.now });
const erase = () => eraseDueAccounts(api.deps, createEmbeddedProvider(api.deps));
beforeEach(() => database.reset());
afterAll(() => database.close());

test.each(["signed", "sent", "mined"] as const)(
  "an account whose transaction is %s is deleted once that has ended: others wait behind its number",
  async (state) => {
    const { token, user } = await seedFullMember(api, clock);
    const isExecution = and(eq(chainJobs.userId, user.id), eq(chainJobs.kind, "execute"));
    await db.update(chainJobs).set({ state }).where(isExecution);
    await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
    clock.advance(DELETION_GRACE_SECONDS * 1000);
    expect(await erase()).toBe(0);
    clock.advance(60_000);
    expect(await erase()).toBe(0);
    expect(await db.query.users.findFirst({ where: eq(users.id, user.id) })).toMatchObject({ email: user.email });

    await db.update(chainJobs).set({ state: "completed" }).where(isExecution);
    clock.advance(60_000);
    expect(await erase()).toBe(1);
    expect(await db.$count(chainJobs)).toBe(0);
  },
);
