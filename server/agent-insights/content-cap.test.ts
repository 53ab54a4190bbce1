import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { readPointsLog, readStats } from "../points/contract.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import {
  MAX_ITEMS_PER_BATCH,
  readContentPointsHistory,
  readDailyJobs,
  readDataStats,
  sendJobResults,
  type JobResultsInput,
} from "./contract.ts";
import { recordJobResults } from "./jobs.ts";

const DAY = 24 * 60 * 60 * 1000;
const CAP = 100;
const { api, clock, database } = await openTestApi({ env: { contentPointsPerDay: CAP } });

let jobs = 0;

/** Creates a batch of one job, with this many new items of a kind. */
function batchOf(count: number, kind: "profile" | "post" | "comment", daysAgo = 0): JobResultsInput {
  const jobId = `job ${++jobs}`;
  const finishedAt = new Date(clock.now().getTime() - daysAgo * DAY).toISOString();
  const items = Array.from({ length: count }, (_, index) => ({
    kind,
    reference: `${jobId} ${index}`,
    title: `Item ${index}`,
  }));
  return { jobs: [{ jobId, finishedAt, resultSize: 1, items }] };
}

const send = (token: string, body: JobResultsInput) => api.read(sendJobResults, { token, body });

test("a day's content earns points up to the cap, and items beyond it are stored and earn nothing", async () => {
  const { token } = await seedMember(api.deps);
  // Twenty profiles of 5 points reach the cap; the 21st is over it.
  expect(await send(token, batchOf(19, "profile"))).toMatchObject({ items: 19, points: 95, itemsBeyondCap: 0 });
  expect(await send(token, batchOf(2, "profile"))).toMatchObject({ items: 2, points: 5, itemsBeyondCap: 1 });
  expect(await send(token, batchOf(1, "comment"))).toMatchObject({ items: 1, points: 0, itemsBeyondCap: 1 });

  expect(await api.read(readStats, { token })).toMatchObject({ points_total: CAP });
  expect((await api.read(readPointsLog, { token })).total).toBe(20);
  expect(await api.read(readDataStats, { token })).toMatchObject({ profiles_amount: 21, total_jobs_points: CAP });
  const { data, total } = await api.read(readContentPointsHistory, { token });
  expect([total, data.filter(({ points }) => points === 0).length]).toEqual([22, 2]);
  expect(await checkLedger(database.db)).toEqual([]);
});

test("the rest of a day's cap goes to the items that still fit", async () => {
  const { token } = await seedMember(api.deps);
  expect(await send(token, batchOf(19, "profile"))).toMatchObject({ points: 95 });
  expect(await send(token, batchOf(2, "post"))).toMatchObject({ points: 4 });
  expect(await send(token, batchOf(1, "post"))).toMatchObject({ points: 0, itemsBeyondCap: 1 });
  expect(await send(token, batchOf(3, "comment"))).toMatchObject({ points: 1, itemsBeyondCap: 1 });
});

test("a batch earns the same in one call as in several", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedMember(api.deps)];
  const batches = [batchOf(19, "profile"), batchOf(1, "post"), batchOf(1, "profile"), batchOf(8, "comment")];
  for (const batch of batches) await send(ada.token, batch);
  const together = { jobs: batches.flatMap(({ jobs: each }) => each) };
  // 97 points leave room for no profile, but for six of the comments after it.
  expect(await send(bob.token, together)).toMatchObject({ items: 29, points: CAP, itemsBeyondCap: 3 });
  for (const { token } of [ada, bob]) {
    expect(await api.read(readDataStats, { token })).toMatchObject({ total_jobs_points: CAP });
    const { data } = await api.read(readContentPointsHistory, { token, query: { limit: 50 } });
    const unpaid = data.filter(({ points }) => points === 0).map(({ kind }) => kind);
    expect(unpaid.toSorted()).toEqual(["comment", "comment", "profile"]);
  }
});

test("the cap applies to each day and each member separately", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedMember(api.deps)];
  await send(ada.token, batchOf(40, "profile"));
  expect(await send(ada.token, batchOf(40, "profile", 1))).toMatchObject({ points: CAP, itemsBeyondCap: 20 });
  expect(await send(bob.token, batchOf(40, "profile"))).toMatchObject({ points: CAP, itemsBeyondCap: 20 });
  const { data } = await api.read(readDailyJobs, { token: ada.token, query: { days: 2 } });
  expect(data.map(({ points, profiles }) => [points, profiles])).toEqual([
    [CAP, 40],
    [CAP, 40],
  ]);
});

test("an item that was sent before does not use up the cap", async () => {
  const { token } = await seedMember(api.deps);
  const batch = batchOf(15, "profile");
  await send(token, batch);
  const [job] = batch.jobs;
  const again = { jobs: job ? [{ ...job, jobId: "another job" }] : [] };
  expect(await send(token, again)).toMatchObject({ accepted: 1, items: 0, points: 0, itemsBeyondCap: 0 });
  expect(await send(token, batchOf(5, "profile"))).toMatchObject({ points: 25, itemsBeyondCap: 0 });
});

test("refuses references with invalid Unicode, which would get past the cap", async () => {
  const { token } = await seedMember(api.deps);
  const [job] = batchOf(40, "profile").jobs;
  const items = job?.items.map((item) => ({ ...item, reference: `\uD800 ${item.reference}` })) ?? [];
  const { status } = await api.call(sendJobResults, { token, body: { jobs: [{ ...job, items }] } });
  expect([status, await api.read(readStats, { token })]).toMatchObject([400, { points_total: 0 }]);
});

test("fifty concurrent batches earn exactly the cap", async () => {
  const { token, user } = await seedMember(api.deps);
  const batches = Array.from({ length: 50 }, () => batchOf(7, "profile"));
  const results = await Promise.all(batches.map((batch) => recordJobResults(api.deps, { userId: user.id }, batch)));

  expect(results.reduce((sum, { points }) => sum + points, 0)).toBe(
    (await api.read(readStats, { token })).points_total,
  );
  expect((await api.read(readStats, { token })).points_total).toBe(CAP);
  expect(await api.read(readDataStats, { token })).toMatchObject({ total_jobs: 50, total_jobs_points: CAP });
  expect((await api.read(readContentPointsHistory, { token })).total).toBe(350);
  expect(await checkLedger(database.db)).toEqual([]);
});

test("accepts a batch of the maximum size and refuses a larger one as a whole", async () => {
  const { token } = await seedMember(api.deps);
  const whole = batchOf(MAX_ITEMS_PER_BATCH - 1, "comment");
  const [one, two] = [batchOf(1, "comment"), batchOf(2, "comment")];
  const over = await api.call(sendJobResults, { token, body: { jobs: [...whole.jobs, ...two.jobs] } });
  expect([over.status, over.body]).toMatchObject([400, { message: "Send at most 200 items in one batch." }]);
  expect(await api.read(readDataStats, { token })).toMatchObject({ total_jobs: 0 });
  expect(await send(token, { jobs: [...whole.jobs, ...one.jobs] })).toMatchObject({ items: MAX_ITEMS_PER_BATCH });
});

test("limits the batches of each member separately, before reading them", async () => {
  const [mallory, ada] = [await seedMember(api.deps), await seedMember(api.deps)];
  const { burst, seconds } = LIMITS.jobResultsByAccount;
  for (let index = 0; index < burst; index++) await send(mallory.token, batchOf(0, "post"));
  const refused = await api.call(sendJobResults, { token: mallory.token, body: "{ not even JSON" });
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, String(seconds)]);
  expect(await send(ada.token, batchOf(1, "post"))).toMatchObject({ accepted: 1 });
  clock.advance(seconds * 1000);
  expect(await send(mallory.token, batchOf(1, "post"))).toMatchObject({ accepted: 1 });
});

test("concurrent batches of one member wait for each other, and all are accepted", async () => {
  const [mallory, ada] = [await seedMember(api.deps), await seedMember(api.deps)];
  const ask = (token: string) => api.call(sendJobResults, { token, body: batchOf(5, "comment") });
  const many = Array.from({ length: 10 }, () => ask(mallory.token));
  const answers = await Promise.all([...many, ask(ada.token)]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});
