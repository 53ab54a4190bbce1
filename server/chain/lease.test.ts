import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestClock, createTestDeps, seedMember } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { chainJobs } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { changeJob, insertJob, releaseJobs, takeDueJobs } from "./jobs.queries.ts";

const MINUTE = 60_000;
const database = await createTestDatabase();
const { db } = database;
const clock = createTestClock();
beforeEach(() => database.reset());
afterAll(() => database.close());

async function queueJob() {
  const { user } = await seedMember(createTestDeps(database, { now: clock.now }));
  const consent = { owner: "0xabc", consentDigest: "0x01", consentNonce: "1", consentSignature: "0x02" };
  const times = { dueAt: clock.now(), createdAt: clock.now() };
  const job = { id: user.id, userId: user.id, kind: "deploy", state: "queued", stationNonce: "1" } as const;
  await inTransaction(db, (tx) => insertJob(tx, { ...job, ...consent, ...times }));
}

async function take() {
  const until = new Date(clock.now().getTime() + MINUTE);
  const [job] = await takeDueJobs(db, { now: clock.now(), until, limit: 10 });
  return job;
}

const WAYS: [string, () => Promise<void>][] = [
  ["its time was over", async () => clock.advance(MINUTE)],
  ["it was released at a start", () => releaseJobs(db, clock.now())],
];

test.for(WAYS)("a job that another has taken over is not written by who had it before: %s", async ([, pass]) => {
  await queueJob();
  const former = await take();
  expect(await take()).toBeUndefined();
  await pass();
  const holder = await take();
  if (!former || !holder) throw new Error("The job was due.");

  expect(await changeJob(db, former, { state: "failed", errorName: "TooLate" })).toBeUndefined();
  expect(await db.select().from(chainJobs)).toEqual([holder]);
  expect(await changeJob(db, holder, { state: "signed" })).toMatchObject({ state: "signed", errorName: null });
});
