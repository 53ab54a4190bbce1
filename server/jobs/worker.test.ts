import { eq, isNull } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createTestClock, SILENT } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { backgroundJobs } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { createLog } from "../log/log.ts";
import { createWaker } from "./waker.ts";
import type { JobKind } from "./job.ts";
import { enqueue, leaseDueJobs } from "./queries.ts";
import { startWorker } from "./worker.ts";

const HOUR = 60 * 60_000;
const now = () => new Date();
const database = await createTestDatabase();
const { db } = database;
const stops: (() => Promise<void>)[] = [];
beforeEach(() => database.reset());
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});
afterAll(() => database.close());

const post = (key: string) => inTransaction(db, (tx) => enqueue(tx, { kind: "test", key, dueAt: now() }));

type Change = { pollInterval?: number; alone?: boolean; atOnce?: number };

function start(run: JobKind["run"], { pollInterval = HOUR, alone = false, atOnce = 2 }: Change = {}) {
  const jobs = createWaker();
  const kinds = { test: { atOnce, lease: HOUR, backOff: { first: HOUR, longest: HOUR }, run } };
  const stop = startWorker({ db, log: SILENT, now, jobs }, { kinds, schedules: {}, alone, pollInterval });
  stops.push(stop);
  return { jobs, stop };
}

/** Creates a `run` for jobs that records when they begin, and that the test can end. */
function createGate() {
  const begun: string[] = [];
  const changed = createWaker();
  const end = Promise.withResolvers<void>();
  async function run({ key }: { key: string }) {
    begun.push(key);
    changed.wake();
    await end.promise;
  }
  async function untilBegun(count: number) {
    while (begun.length < count) await changed.wait(HOUR, new AbortController().signal);
    return begun;
  }
  return { begun, run, untilBegun, end: end.resolve };
}

test("runs a job committed in the same process at once, without waiting for the next poll", async () => {
  const { end, run, untilBegun } = createGate();
  end();
  const { jobs } = start(run);
  await post("first");
  jobs.wake();
  expect(await untilBegun(1)).toEqual(["first"]);
  await post("second");
  jobs.wake();
  expect(await untilBegun(2)).toEqual(["first", "second"]);
});

test("a kind with more than half of its places in use still takes new jobs", async () => {
  for (let index = 0; index < 11; index += 1) await post(`slow-${index}`);
  const { end, run, untilBegun } = createGate();
  const { jobs } = start(run, { atOnce: 20 });
  await untilBegun(11);
  await post("new");
  jobs.wake();
  expect((await untilBegun(12)).at(-1)).toBe("new");
  end();
});

test("finds a job queued by another process by polling", async () => {
  const { end, run, untilBegun } = createGate();
  end();
  start(run, { pollInterval: 10 });
  await post("elsewhere");
  expect(await untilBegun(1)).toEqual(["elsewhere"]);
});

test("stopping waits for running jobs, takes no more, and leaves the rest to the next worker", async () => {
  for (const key of ["one", "two", "three"]) await post(key);
  const { begun, end, run, untilBegun } = createGate();
  const { stop } = start(run);
  await untilBegun(2);
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  expect(await db.$count(backgroundJobs)).toBe(3);
  expect(isStopped).toBe(false);
  end();
  await stopped;
  expect(begun).toHaveLength(2);
  expect(await db.$count(backgroundJobs)).toBe(1);

  const next = createGate();
  next.end();
  start(next.run);
  expect([...begun, ...(await next.untilBegun(1))].toSorted()).toEqual(["one", "three", "two"]);
});

test("logs once a minute that the queue cannot be read, and keeps polling it", async () => {
  const said: string[] = [];
  const log = createLog({ level: "warn", destination: { write: (line: string) => void said.push(line) } });
  let looks = 0;
  const lookAtClock = () => {
    looks += 1;
    if (looks < 20) throw new Error("No answer");
    return now();
  };
  const { end, run, untilBegun } = createGate();
  end();
  await post("waits");
  const kinds = { test: { atOnce: 1, lease: HOUR, backOff: { first: HOUR, longest: HOUR }, run } };
  const deps = { db, log, now: lookAtClock, jobs: createWaker() };
  stops.push(startWorker(deps, { kinds, schedules: {}, alone: false, pollInterval: 1 }));
  expect(await untilBegun(1)).toEqual(["waits"]);
  expect(said).toHaveLength(1);
});

test("the only process runs at once what the previous one left leased", async () => {
  await post("left");
  const { end, run, untilBegun } = createGate();
  end();
  const kinds = { test: { atOnce: 1, lease: HOUR, backOff: { first: HOUR, longest: HOUR }, run } };
  expect(await leaseDueJobs(db, { kinds, now: now(), inHand: [] })).toHaveLength(1);
  start(run, { alone: true });
  expect(await untilBegun(1)).toEqual(["left"]);
});

test("once the clock is set back, a postponed schedule runs after its interval", async () => {
  const clock = createTestClock();
  const { end, run, untilBegun } = createGate();
  end();
  const schedules = { sweep: { every: HOUR, run: () => run({ key: "sweep" }) } };
  const deps = { db, log: SILENT, now: clock.now, jobs: createWaker() };
  const findDue = async () => {
    const [job] = await db.select().from(backgroundJobs).where(isNull(backgroundJobs.lease));
    return job?.dueAt.getTime();
  };
  const inAnHour = () => clock.now().getTime() + HOUR;
  stops.push(startWorker(deps, { kinds: {}, schedules, alone: true, pollInterval: 10 }));
  expect(await untilBegun(1)).toEqual(["sweep"]);
  await expect.poll(findDue).toBe(inAnHour());

  clock.advance(-1000 * HOUR);
  await expect.poll(findDue).toBe(inAnHour());
  clock.advance(HOUR);
  expect(await untilBegun(2)).toEqual(["sweep", "sweep"]);
});

test("once the clock is set back, a postponed retry runs", async () => {
  const clock = createTestClock();
  const { end, run, untilBegun } = createGate();
  end();
  let isAway = true;
  async function deliver(job: { key: string }) {
    await run(job);
    if (isAway) throw new Error("The mail server is away");
  }
  const kinds = { test: { atOnce: 1, lease: HOUR, backOff: { first: HOUR, longest: HOUR }, run: deliver } };
  const deps = { db, log: SILENT, now: clock.now, jobs: createWaker() };
  await inTransaction(db, (tx) => enqueue(tx, { kind: "test", key: "mail", dueAt: clock.now() }));
  stops.push(startWorker(deps, { kinds, schedules: {}, alone: true, pollInterval: 10 }));
  await untilBegun(1);
  await expect.poll(async () => (await db.select().from(backgroundJobs))[0]?.lastError).toContain("away");
  isAway = false;
  clock.advance(-1000 * HOUR);
  expect(await untilBegun(2)).toEqual(["mail", "mail"]);
});

test("a starting process resets due times that a clock far ahead has set", async () => {
  const then = new Date(Date.now() + 1000 * HOUR);
  const { end, run, untilBegun } = createGate();
  end();
  const kinds = { test: { atOnce: 1, lease: HOUR, backOff: { first: HOUR, longest: HOUR }, run } };
  await post("taken");
  expect(await leaseDueJobs(db, { kinds, now: then, inHand: [] })).toHaveLength(1);
  await inTransaction(db, (tx) => enqueue(tx, { kind: "test", key: "put off", dueAt: then }));
  start(run);
  expect(await untilBegun(1)).toEqual(["put off"]);
  const [taken] = await db.select().from(backgroundJobs).where(eq(backgroundJobs.key, "taken"));
  expect(taken?.dueAt.getTime()).toBeLessThanOrEqual(Date.now() + HOUR);
});

test("a starting process leaves the lease of one whose clock is ahead as far as clocks may differ", async () => {
  const clock = createTestClock();
  const { end, run, untilBegun } = createGate();
  end();
  const kinds = { test: { atOnce: 1, lease: HOUR, backOff: { first: HOUR, longest: HOUR }, run } };
  const queue = (key: string) => inTransaction(db, (tx) => enqueue(tx, { kind: "test", key, dueAt: clock.now() }));
  await queue("taken");
  const then = new Date(clock.now().getTime() + MAX_CLOCK_SKEW_MS);
  const [taken] = await leaseDueJobs(db, { kinds, now: then, inHand: [] });
  await queue("next");
  const deps = { db, log: SILENT, now: clock.now, jobs: createWaker() };
  stops.push(startWorker(deps, { kinds, schedules: {}, alone: false, pollInterval: HOUR }));
  expect(await untilBegun(1)).toEqual(["next"]);
  const [left] = await db.select().from(backgroundJobs).where(eq(backgroundJobs.key, "taken"));
  expect(left).toMatchObject({ lease: taken?.lease, dueAt: new Date(then.getTime() + HOUR) });
});
