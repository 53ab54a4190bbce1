import { once } from "node:events";
import { afterAll, beforeEach, expect, test } from "vitest";
import { forkWorker, postJobs, readEffects, waitForHeldJobs } from "../../tests/support/servers/job-workers.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { backgroundJobs, rateLimits } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { readEnv } from "../env.ts";
import { createRateLimiter } from "../rate-limits/rate-limiter.ts";

const JOBS = 200;
const KEYS = Array.from({ length: JOBS }, (_, index) => `job-${index}`).toSorted();

const database = await createTestDatabase();
const { db } = database;
const databaseUrl = database.pool.options.connectionString ?? "";
beforeEach(() => database.reset());
afterAll(() => database.close());

const keysDone = async () => (await readEffects(db)).map(({ key }) => key).toSorted();

test("two processes share the jobs, and each job takes effect once", async () => {
  await postJobs(db, JOBS);
  const workers = ["one", "two"].map((name) => forkWorker({ name, databaseUrl }));
  expect(await Promise.all(workers.map((worker) => once(worker, "exit")))).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(await keysDone()).toEqual(KEYS);
  expect(await db.$count(backgroundJobs)).toBe(0);
});

test("another process runs the jobs of a killed one after their lease", async () => {
  await postJobs(db, JOBS);
  const killed = forkWorker({ name: "killed", databaseUrl, pauses: true });
  await waitForHeldJobs(killed);
  killed.kill("SIGKILL");
  const other = forkWorker({ name: "other", databaseUrl });
  expect(await once(other, "exit")).toEqual([0, null]);
  expect(await keysDone()).toEqual(KEYS);
});

test("a process that slept through its lease writes nothing after another has run its jobs", async () => {
  await postJobs(db, JOBS);
  const asleep = forkWorker({ name: "asleep", databaseUrl, pauses: true });
  await waitForHeldJobs(asleep);
  asleep.kill("SIGSTOP");
  const other = forkWorker({ name: "other", databaseUrl });
  expect(await once(other, "exit")).toEqual([0, null]);
  asleep.send("go on");
  asleep.kill("SIGCONT");
  expect(await once(asleep, "exit")).toEqual([0, null]);

  expect(await keysDone()).toEqual(KEYS);
  expect(new Set((await readEffects(db)).map(({ name }) => name))).toEqual(new Set(["other"]));
});

test("pruning skips locked rows instead of waiting for them", async () => {
  const rule = { name: "asked", burst: 1, seconds: 60 };
  const at = new Date();
  const now = () => at;
  const secrets = ["a secret, which is as long as it has to be"] as const;
  const anHourAgo = createRateLimiter({ db, now: () => new Date(at.getTime() - 3_600_000), secrets });
  for (const subject of ["another", "one"]) await anHourAgo.take(rule, subject);
  const [taken, pruned] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const taking = inTransaction(db, async (tx) => {
    const limits = createRateLimiter({ db, now, secrets }).within(tx);
    await limits.take(rule, "one");
    taken.resolve();
    await pruned.promise;
    // If pruning had removed this row and waited for the first one, the two would wait for each other.
    await limits.take(rule, "another");
  });
  await taken.promise;
  const removing = pruneExpired({ db, env: readEnv({}), now }).finally(pruned.resolve);
  expect((await removing).limits).toBe(1);
  await taking;
  expect(await db.$count(rateLimits)).toBe(2);
});
