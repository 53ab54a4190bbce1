import { and, eq, ne } from "drizzle-orm";
import { expect, test } from "vitest";
import { TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { seedFullMember } from "../../tests/support/seeds/full-member.ts";
import { eraseDueAccounts } from "../../tests/support/api/jobs.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { dumpDatabase } from "../../tests/support/database/dump-database.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { FILL_NONCE } from "../chain/left-nonces.ts";
import { backgroundJobs, chainJobs, users } from "../db/schema.ts";
import { MAIL } from "../mail/outbox.queries.ts";
import { DELETION_GRACE_SECONDS, requestDeletion } from "./contract.ts";

// In the past, so that a grace period that is over by this clock is over by the database's clock too.
const { api, clock } = await openTestApi({}, "2026-01-20T12:00:00.000Z");
const { db } = api.deps;
const erase = () => eraseDueAccounts(api.deps, createEmbeddedProvider(api.deps));

const SENDER = "0x1111111111111111111111111111111111111111";

test.each([
  ["queued", null],
  ["signed", 7],
  ["sent", 7],
  ["mined", 7],
  ["completed", 7],
] as const)(
  "an account whose transaction is %s is deleted on time and leaves at most a nonce to fill",
  async (state, nonce) => {
    const { token, user } = await seedFullMember(api, clock);
    const isExecution = and(eq(chainJobs.userId, user.id), eq(chainJobs.kind, "execute"));
    await db
      .update(chainJobs)
      .set({ state, sender: nonce && SENDER, senderNonce: nonce })
      .where(isExecution);
    await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
    clock.advance(DELETION_GRACE_SECONDS * 1000);
    expect(await erase()).toBe(0);
    clock.advance(60_000);
    expect(await erase()).toBe(1);

    expect(await db.query.users.findFirst({ where: eq(users.id, user.id) })).toMatchObject({ email: user.id });
    expect(await db.$count(chainJobs)).toBe(0);
    // Removes what requests that were in progress have written, and ends.
    clock.advance(60_000);
    expect(await erase()).toBe(1);
    // All jobs except the email that says that the account is deleted.
    const left = await db.select().from(backgroundJobs).where(ne(backgroundJobs.kind, MAIL));
    const isUnderWay = state !== "queued" && state !== "completed";
    expect(left.map(({ key, kind, payload }) => ({ key, kind, payload }))).toEqual(
      isUnderWay ? [{ key: `${SENDER} 7`, kind: FILL_NONCE, payload: null }] : [],
    );
    expect((await dumpDatabase(db)).includes(SENDER)).toBe(isUnderWay);
  },
);
