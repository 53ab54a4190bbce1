import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../../tests/support/api/api.ts";
import { runDue } from "../../tests/support/api/jobs.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { backgroundJobs, botCheckUses } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { readEnv } from "../env.ts";
import { createLog } from "../log/log.ts";
import { GiveUp, type Job, type JobKind, type JobKinds } from "./job.ts";
import { enqueue, lockLease, isHeld, leaseDueJobs } from "./queries.ts";
import { computeBackoff, runJob } from "./run-job.ts";
import { queueSchedules, toKinds } from "./schedule.ts";

const HOUR = 60 * 60_000;
const WEEK = 7 * 24 * HOUR;
const LEASE = 60_000;

const database = await createTestDatabase();
const { db } = database;
// In the past, so that jobs that have expired by this clock have expired by the database's clock, too.
const clock = createTestClock("2026-01-20T12:00:00.000Z");
const lines: string[] = [];
const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
const deps = { db, env: readEnv({}), log, now: clock.now };
beforeEach(async () => {
  lines.length = 0;
  await database.reset();
});
afterAll(() => database.close());

/** Creates a kind of job that runs the given function, and remembers which jobs it ran. */
function createKind(run: JobKind["run"] = async () => {}, change: Partial<JobKind> = {}) {
  const done: string[] = [];
  async function remember(job: Job) {
    done.push(job.key);
    return run(job);
  }
  const kind: JobKind = { atOnce: 10, lease: LEASE, backOff: { first: 1000, longest: HOUR }, run: remember, ...change };
  return { done, kinds: { test: kind } satisfies JobKinds, kind };
}

const post = (key: string, { kind = "test", ...job }: { kind?: string; dueAt?: Date; expiresAt?: Date } = {}) =>
  inTransaction(db, (tx) => enqueue(tx, { kind, key, dueAt: clock.now(), ...job }));
const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const readJob = async (key: string) => {
  const [job] = await db.select().from(backgroundJobs).where(eq(backgroundJobs.key, key));
  return job;
};
async function takeOne(kinds: JobKinds) {
  const [job, ...others] = await leaseDueJobs(db, { kinds, now: clock.now(), inHand: [] });
  if (!job || others.length > 0) throw new Error("Exactly one job was to be due.");
  return job;
}

test("queues a job only on commit, runs it once, and does not queue it twice", async () => {
  const { done, kinds } = createKind();
  const undone = inTransaction(db, async (tx) => {
    await enqueue(tx, { kind: "test", key: "undone", dueAt: clock.now() });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await post("ada");
  await post("ada", { dueAt: later(HOUR) });

  expect([await runDue(deps, kinds), await runDue(deps, kinds)]).toEqual([["done"], []]);

  expect(done).toEqual(["ada"]);
  expect(await db.$count(backgroundJobs)).toBe(0);
});

test("a job runs when it is due and not before, the one that has been due longest first", async () => {
  const { done, kinds } = createKind();
  await post("ada", { dueAt: later(1000) });
  clock.advance(999);
  expect(await runDue(deps, kinds)).toEqual([]);
  clock.advance(1);
  await runDue(deps, kinds);
  expect(done).toEqual(["ada"]);
  // Of several jobs, the one that has been due for longest comes first.
  const due = { ben: later(-1), cid: later(-9), dan: later(-2) };
  for (const [key, dueAt] of Object.entries(due)) await post(key, { dueAt });
  await runDue(deps, { test: { ...kinds.test, atOnce: 1 } });
  expect(done).toEqual(["ada", "cid"]);
});

test("a job that is queued again while it runs is run again, because it may have read too early", async () => {
  const { done, kinds } = createKind(async ({ key }) => {
    if (done.length === 1) await post(key);
  });
  await post("ada");
  expect([await runDue(deps, kinds), await runDue(deps, kinds)]).toEqual([["done"], ["done"]]);
  expect(done).toEqual(["ada", "ada"]);
  expect(await runDue(deps, kinds)).toEqual([]);
});

test("a job that asks to run again does so when it says, and its attempts count from zero", async () => {
  const counted: number[] = [];
  const { done, kinds } = createKind(async ({ attempts }) => {
    counted.push(attempts);
    if (done.length === 1) throw new Error("not now");
    return { again: HOUR };
  });
  await post("ada");
  await runDue(deps, kinds);
  clock.advance(1000);
  expect(await runDue(deps, kinds)).toEqual(["again"]);
  expect(counted).toEqual([1, 2]);
  expect(await readJob("ada")).toMatchObject({ attempts: 0, dueAt: later(HOUR), lastError: null });
});

test("a failed job waits longer before each retry, with jitter and up to a maximum", () => {
  const backOff = { first: 1000, longest: 60_000 };
  for (const [index, whole] of [1000, 3000, 9000, 27_000, 60_000, 60_000].entries()) {
    const waits = Array.from({ length: 50 }, () => computeBackoff(index + 1, backOff));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(whole / 2);
    expect(Math.max(...waits)).toBeLessThanOrEqual(whole);
    expect(new Set(waits).size).toBeGreaterThan(1);
  }
});

test("a job keeps its last error, without addresses or secrets, until it succeeds", async () => {
  const { done, kinds } = createKind(async () => {
    if (done.length === 1)
      throw new Error("no", { cause: new Error(`550 <ada@nodebeat.test>\0\u001B[2J\r\n${"x".repeat(900)}`) });
  });
  await post("ada");
  expect(await runDue(deps, kinds)).toEqual(["failed"]);
  const failed = await readJob("ada");
  // On one line that the database accepts and a terminal can show, whatever a server has answered.
  expect(failed?.lastError).toMatch(/^no: 550 <\[email\]> \[2J x+$/);
  expect(failed?.lastError).toHaveLength(500);
  expect(failed?.dueAt.getTime()).toBeGreaterThanOrEqual(later(500).getTime());
  expect(lines.join("")).toContain("a job failed: it is tried again");
  expect(lines.join("")).not.toContain("ada@");
  clock.advance(1000);
  expect(await runDue(deps, kinds)).toEqual(["done"]);
});

test("a leased job can be taken only after its lease, and its former holder then writes nothing", async () => {
  const { kind, kinds } = createKind();
  await post("ada");
  const former = await takeOne(kinds);
  clock.advance(LEASE - 1);
  expect(await runDue(deps, kinds)).toEqual([]);
  clock.advance(1);
  const present = await takeOne(kinds);
  expect(present).toMatchObject({ key: "ada", attempts: 2 });

  await expect(inTransaction(db, (tx) => lockLease(tx, former))).rejects.toThrow("lease");
  const spend = (job: Job) =>
    db.update(backgroundJobs).set({ lastError: "written" }).where(isHeld(db, job)).returning();
  expect(await spend(former)).toEqual([]);
  for (const end of [async () => {}, async () => ({ again: 0 }), () => Promise.reject(new Error("late"))]) {
    await runJob(deps, { ...kind, run: end }, former);
  }
  await runJob(deps, { ...kind, run: () => Promise.reject(new GiveUp("late")) }, former);
  expect(await readJob("ada")).toMatchObject({ lease: present.lease, attempts: 2, deadAt: null, lastError: null });

  await inTransaction(db, (tx) => lockLease(tx, present));
  expect(await spend(present)).toHaveLength(1);
  expect(await runJob(deps, kind, present)).toBe("done");
  expect(await db.$count(backgroundJobs)).toBe(0);
});

test("concurrent processes share the due jobs, and each job runs once", async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `job-${index}`);
  for (const key of keys) await post(key);
  const { done, kinds } = createKind();
  do await Promise.all(Array.from({ length: 6 }, () => runDue(deps, kinds)));
  while ((await db.$count(backgroundJobs)) > 0);
  expect(done.toSorted()).toEqual(keys.toSorted());
});

test("a long queue of one kind does not hold up another", async () => {
  const { done, kind } = createKind();
  for (let index = 0; index < 30; index += 1) await post(`slow-${index}`, { kind: "slow" });
  clock.advance(1);
  await post("quick", { kind: "quick" });
  await runDue(deps, { slow: { ...kind, atOnce: 3 }, quick: kind });
  expect(done).toHaveLength(4);
  expect(done).toContain("quick");
});

test("a job that is given up keeps its error for a week, does not run, and can be queued again", async () => {
  const { done, kinds } = createKind(() => Promise.reject(new GiveUp("no such mailbox")));
  await post("ada");
  await post("bob");
  expect(await runDue(deps, kinds)).toEqual(["dead", "dead"]);
  clock.advance(WEEK);
  expect(await runDue(deps, kinds)).toEqual([]);
  expect(await readJob("ada")).toMatchObject({ deadAt: later(-WEEK), lastError: "no such mailbox" });
  expect(await pruneExpired(deps)).toMatchObject({ jobs: 0 });

  await post("bob");
  await runDue(deps, kinds);
  expect(done.toSorted()).toEqual(["ada", "bob", "bob"]);
  clock.advance(1);
  expect(await pruneExpired(deps)).toMatchObject({ jobs: 1 });
  expect(await readJob("ada")).toBeUndefined();
  expect(await readJob("bob")).toMatchObject({ deadAt: later(-1) });
});

test("an expired job is given up with the error of its last attempt", async () => {
  const backOff = { first: HOUR, longest: HOUR };
  const { done, kinds } = createKind(() => Promise.reject(new Error("451 try later")), { backOff });
  await post("ada", { expiresAt: later(1000) });
  expect(await runDue(deps, kinds)).toEqual(["failed"]);
  clock.advance(1000);
  expect(await runDue(deps, kinds)).toEqual(["dead"]);
  expect(done).toEqual(["ada"]);
  expect(await readJob("ada")).toMatchObject({ deadAt: clock.now(), lastError: "451 try later" });
});

test("a job that has expired only by a fast clock still runs", async () => {
  const { done, kinds } = createKind();
  const now = () => new Date(Date.now() + HOUR);
  await post("ada", { expiresAt: new Date(Date.now() + HOUR / 2) });
  expect(await runDue({ ...deps, now }, kinds)).toEqual(["done"]);
  expect(done).toEqual(["ada"]);
});

test("a schedule runs once per interval across all processes, and runs again soon after a failure", async () => {
  let runs = 0;
  async function run() {
    runs += 1;
    if (runs === 2) throw new Error("not now");
  }
  const schedules = { sweep: { every: HOUR, run } };
  const look = async () => {
    await queueSchedules(db, schedules, clock.now());
    return runDue(deps, toKinds(schedules));
  };
  const lookTogether = () => Promise.all([look(), look(), look()]);
  await lookTogether();
  await lookTogether();
  expect(runs).toBe(1);
  clock.advance(HOUR);
  await lookTogether();
  expect(runs).toBe(2);
  clock.advance(5_000);
  await lookTogether();
  expect(runs).toBe(3);
});

test("a schedule postponed or leased by a clock far ahead runs again after its interval", async () => {
  let runs = 0;
  const schedules = { sweep: { every: HOUR, run: async () => void (runs += 1) } };
  const kinds = toKinds(schedules);
  const look = async (ahead = 0) => {
    const now = later(ahead);
    await queueSchedules(db, schedules, now);
    return runDue({ ...deps, now: () => now }, kinds);
  };
  expect(await look(4 * WEEK)).toEqual(["again"]);
  expect(await look()).toEqual([]);
  clock.advance(HOUR);
  expect(await look()).toEqual(["again"]);
  expect(runs).toBe(2);

  await leaseDueJobs(db, { kinds, inHand: [], now: later(4 * WEEK) });
  expect(await look()).toEqual([]);
  clock.advance(HOUR);
  expect(await look()).toEqual(["again"]);
  expect(runs).toBe(3);
});

test("one pruning removes at most 5,000 rows of a kind", async () => {
  const uses = Array.from({ length: 5001 }, (_, index) => ({ tokenId: `${index}`, expiresAt: later(-HOUR) }));
  await db.insert(botCheckUses).values(uses);
  expect(await pruneExpired(deps)).toMatchObject({ botChecks: 5000 });
  expect(await pruneExpired(deps)).toMatchObject({ botChecks: 1 });
});
