import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readAudit } from "../../../tests/support/api/administration.ts";
import { createTestClock, createTestDeps } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { backgroundJobs } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { enqueue } from "../../jobs/queries.ts";
import { readJson, startOperator } from "../operator.fixture.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const deps = createTestDeps(database, { now: clock.now });
const { db } = database;
beforeEach(() => database.reset());
afterAll(() => database.close());

const why = ["--reason", "The mail server was away"];
const secret = Buffer.from("a letter to somebody");

/** Enqueues an email that was given up, one that is being sent, a deletion that waits, and a schedule. */
async function fill() {
  const [now, later] = [clock.now(), new Date(clock.now().getTime() + 60_000)];
  await inTransaction(db, async (tx) => {
    await enqueue(tx, { kind: "mail", key: "m1", payload: secret, dueAt: now, expiresAt: now });
    await enqueue(tx, { kind: "mail", key: "m2", payload: secret, dueAt: later, expiresAt: later });
    await enqueue(tx, { kind: "erase-account", key: "u1", dueAt: later });
    await enqueue(tx, { kind: "tidy-up", key: "", dueAt: later });
  });
  const dead = { deadAt: now, attempts: 3, lastError: "the mailbox is full" };
  await db.update(backgroundJobs).set(dead).where(eq(backgroundJobs.key, "m1"));
  await db.update(backgroundJobs).set({ lease: crypto.randomUUID(), attempts: 1 }).where(eq(backgroundJobs.key, "m2"));
}

test("lists the queued jobs without their payload", async () => {
  const ops = await startOperator(deps);
  expect(await ops("jobs", "list")).toBe("0 Nothing.");
  await fill();
  const list = await ops("jobs", "list");
  expect(list).toBe(
    [
      "0 mail m1  given up 2026-11-20T12:00:00.000Z  tried 3 times  the mailbox is full",
      "erase-account u1  waiting, due 2026-11-20T12:01:00.000Z",
      "mail m2  in hand, due 2026-11-20T12:01:00.000Z  tried 1 time",
      'tidy-up ""  waiting, due 2026-11-20T12:01:00.000Z',
      "4 shown.",
    ].join("\n"),
  );
  expect(readJson(await ops("jobs", "list", "--dead", "--kind", "mail", "--json"))).toEqual([
    {
      kind: "mail",
      key: "m1",
      attempts: 3,
      state: "dead",
      dueAt: "2026-11-20T12:00:00.000Z",
      deadAt: "2026-11-20T12:00:00.000Z",
      expiresAt: "2026-11-20T12:00:00.000Z",
      lastError: "the mailbox is full",
    },
  ]);
  expect(await ops("jobs", "list", "--no-dead", "--limit", "1")).toMatch(/^0 erase-account u1 .*\n1 shown\.$/);
});

test("retries a job that was given up or waits, but not one that is running", async () => {
  const ops = await startOperator(deps);
  await fill();
  expect(await ops("jobs", "retry", "mail", "m1", ...why)).toMatch(/^0 It runs within/);
  const [revived] = await db.select().from(backgroundJobs).where(eq(backgroundJobs.key, "m1"));
  const expiresAt = new Date("2026-11-21T12:00:00.000Z");
  expect(revived).toMatchObject({ dueAt: clock.now(), attempts: 0, deadAt: null, expiresAt, payload: secret });
  expect(await ops("jobs", "retry", "tidy-up", "", ...why)).toMatch(/^0 /);
  expect(await ops("jobs", "retry", "mail", "m2", ...why)).toBe("1 That is running right now.");
  expect(await ops("jobs", "retry", "mail", "m3", ...why)).toBe("1 There is no such job: it may have been done.");
  expect(await readAudit(db)).toMatchObject([
    { action: "job.retried", subject: "job", subjectId: "mail m1", reason: "The mail server was away" },
    { action: "job.retried", subject: "job", subjectId: "tidy-up" },
  ]);
});

test("drops only emails and jobs that were given up", async () => {
  const ops = await startOperator(deps);
  await fill();
  for (const key of ["m1", "m2"])
    expect(await ops("jobs", "drop", "mail", key, ...why)).toMatch(/^0 Removed: it is not tried again\./);
  for (const [kind = "", key = ""] of [["erase-account", "u1"], ["tidy-up"]])
    expect(await ops("jobs", "drop", kind, key, ...why)).toBe(
      "1 Only emails, and jobs that were given up, can be removed.",
    );
  expect(await db.$count(backgroundJobs)).toBe(2);
  expect(await readAudit(db)).toMatchObject([{ action: "job.dropped" }, { action: "job.dropped" }]);
});
