import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { registerDevice } from "../heartbeats/contract.ts";
import { readPointsLog, readStats } from "../points/contract.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { inTransaction } from "../db/transaction.ts";
import { countJobs } from "./jobs.ts";
import {
  readContentPointsHistory,
  readDailyJobs,
  readDataStats,
  readNetworkJobs,
  sendJobResults,
  type JobResultsInput,
} from "./contract.ts";

type JobInput = JobResultsInput["jobs"][number];

const DAY = 24 * 60 * 60 * 1000;
const { api, clock, database } = await openTestApi();

const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds).toISOString();

const job = (jobId: string, more: Partial<JobInput> = {}): JobInput => ({
  jobId,
  finishedAt: ago(0),
  resultSize: 1000,
  items: [
    { kind: "profile", reference: `${jobId}-a`, title: "A profile" },
    { kind: "comment", reference: `${jobId}-b`, title: "A comment" },
  ],
  ...more,
});

const send = (token: string, ...jobs: JobInput[]) => api.read(sendJobResults, { token, body: { jobs } });

// specification: 1.3, 3.46, 7.22
test("a finished job counts with its content, and its items earn points in Others", async () => {
  const { token } = await seedMember(api.deps);
  expect(await send(token, job("1"))).toEqual({
    accepted: 1,
    duplicates: 0,
    refused: [],
    items: 2,
    points: 5.5,
    itemsBeyondCap: 0,
  });
  expect(await api.read(readDataStats, { token })).toEqual({
    total_jobs: 1,
    total_jobs_points: 5.5,
    profiles_amount: 1,
    comments_amount: 1,
    posts_amount: 0,
    result_size: 1000,
  });
  expect(await api.read(readPointsLog, { token, query: { category: "Others" } })).toMatchObject({ total: 2 });
  expect((await api.read(readContentPointsHistory, { token })).total).toBe(2);
  expect(await checkLedger(database.db)).toEqual([]);
});

test("a day's size beyond the safe integers still fits the contract", async () => {
  const { token, user } = await seedMember(api.deps);
  const at = clock.now();
  const huge = { userId: user.id, reference: "1", finishedAt: at, receivedAt: at, resultSize: 2 ** 53, items: [] };
  await inTransaction(database.db, (tx) => countJobs(tx, [huge], api.deps.env));
  for (const days of [readDailyJobs, readNetworkJobs])
    expect((await api.read(days, { token })).data.at(-1)).toMatchObject({ jobs: 1, resultSize: 2 ** 53 });
});

test("a day with the maximum number of bytes still accepts jobs, for the member and the network", async () => {
  const { token, user } = await seedMember(api.deps);
  const [at, resultSize] = [clock.now(), 2 ** 63 - 1024];
  const huge = { userId: user.id, reference: "1", finishedAt: at, receivedAt: at, resultSize, items: [] };
  await inTransaction(database.db, (tx) => countJobs(tx, [huge], api.deps.env));
  expect(await send(token, job("2"))).toMatchObject({ accepted: 1, items: 2 });
  for (const days of [readDailyJobs, readNetworkJobs])
    expect((await api.read(days, { token })).data.at(-1)).toMatchObject({ jobs: 2, resultSize: 2 ** 63 });
});

test("a node sends results with its own key", async () => {
  const { token } = await seedMember(api.deps);
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "Attic" } });
  expect(await send(deviceKey, job("1"))).toMatchObject({ accepted: 1 });
  expect((await api.call(readDataStats, { token: deviceKey })).status).toBe(401);
});

test("counts a batch once, even if it is sent repeatedly and concurrently", async () => {
  const { token } = await seedMember(api.deps);
  const batch = [job("1"), job("2"), job("3")];
  const answers = await Promise.all([send(token, ...batch), send(token, ...batch.toReversed()), send(token, ...batch)]);
  expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(3);
  expect(answers.reduce((sum, { points }) => sum + points, 0)).toBe(16.5);
  expect(await send(token, ...batch)).toMatchObject({ accepted: 0, duplicates: 3, items: 0, points: 0 });
  expect(await api.read(readDataStats, { token })).toMatchObject({ total_jobs: 3, total_jobs_points: 16.5 });
  expect(await api.read(readStats, { token })).toMatchObject({ points_total: 16.5 });
});

test("counts the first of two jobs with the same id in a batch, and an item in two jobs only once", async () => {
  const { token } = await seedMember(api.deps);
  const shared = { kind: "post" as const, reference: "shared", title: "Shared" };
  const answer = await send(
    token,
    job("1", { items: [shared], resultSize: 10 }),
    job("1", { items: [], resultSize: 99 }),
    job("2", { items: [shared, shared], resultSize: 5 }),
  );
  expect(answer).toMatchObject({ accepted: 2, duplicates: 1, items: 1, points: 2 });
  expect(await api.read(readDataStats, { token })).toMatchObject({ total_jobs: 2, posts_amount: 1, result_size: 15 });
});

test("counts an item in two jobs of one batch for the first job, on that job's day", async () => {
  const { token } = await seedMember(api.deps);
  const shared = { kind: "post" as const, reference: "shared", title: "Shared" };
  await send(
    token,
    job("1", { items: [shared], finishedAt: ago(DAY) }),
    job("2", { items: [shared], finishedAt: ago(0) }),
  );
  expect((await api.read(readContentPointsHistory, { token })).data).toMatchObject([{ timestamp: ago(DAY) }]);
  const { data } = await api.read(readDailyJobs, { token, query: { days: 2 } });
  expect(data.map(({ jobs, points, posts }) => [jobs, posts, points])).toEqual([
    [1, 1, 2],
    [1, 0, 0],
  ]);
});

test("refuses jobs from the future or too long ago with a reason, and counts the others", async () => {
  const { token } = await seedMember(api.deps);
  const answer = await send(
    token,
    job("early", { finishedAt: ago(-2 * 60_000) }),
    job("late", { finishedAt: ago(8 * DAY) }),
    job("fine", { finishedAt: ago(6 * DAY) }),
  );
  expect(answer).toMatchObject({
    accepted: 1,
    refused: [
      { jobId: "early", reason: "too_early", message: expect.stringContaining("Check the clock") },
      { jobId: "late", reason: "too_late" },
    ],
  });
});

// specification: 7.49
test("daily jobs are the member's own, and network jobs are everybody's", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedMember(api.deps)];
  await send(ada.token, job("1"), job("2", { finishedAt: ago(DAY) }));
  await send(bob.token, job("1", { items: [{ kind: "post", reference: "b", title: "A post" }], resultSize: 300 }));
  const empty = { jobs: 0, profiles: 0, comments: 0, posts: 0, resultSize: 0, points: 0 };
  const one = { jobs: 1, profiles: 1, comments: 1, posts: 0, resultSize: 1000, points: 5.5 };
  expect(await api.read(readDailyJobs, { token: ada.token, query: { days: 3 } })).toEqual({
    data: [
      { date: "2026-11-18", ...empty },
      { date: "2026-11-19", ...one },
      { date: "2026-11-20", ...one },
    ],
  });
  expect(await api.read(readDailyJobs, { token: bob.token, query: { days: 2 } })).toEqual({
    data: [
      { date: "2026-11-19", ...empty },
      { date: "2026-11-20", jobs: 1, profiles: 0, comments: 0, posts: 1, resultSize: 300, points: 2 },
    ],
  });
  const { data } = await api.read(readNetworkJobs, { token: bob.token, query: { days: 2 } });
  expect(data).toEqual([
    { date: "2026-11-19", ...one },
    { date: "2026-11-20", jobs: 2, profiles: 1, comments: 1, posts: 1, resultSize: 1300, points: 7.5 },
  ]);
  expect((await api.read(readDailyJobs, { token: bob.token })).data).toHaveLength(30);
});

test("refuses a malformed batch as a whole and counts nothing", async () => {
  const { token } = await seedMember(api.deps);
  const refuse = async (jobs: unknown) => (await api.call(sendJobResults, { token, body: { jobs } })).status;
  expect(await refuse([])).toBe(400);
  expect(await refuse([job("1"), { ...job("2"), resultSize: -1 }])).toBe(400);
  const wrong = { ...job("2"), items: [...job("2").items, { kind: "video", reference: "1", title: "x" }] };
  const { body } = await api.call(sendJobResults, { token, body: { jobs: [job("1"), wrong] } });
  expect(body).toMatchObject({ fields: { "jobs.1.items.2.kind": [expect.any(String)] } });
  expect(await refuse([{ ...job("1"), items: [{ kind: "video", reference: "1", title: "x" }] }])).toBe(400);
  expect(await refuse(Array.from({ length: 101 }, (_, index) => job(String(index), { items: [] })))).toBe(400);
  expect(await api.read(readDataStats, { token })).toMatchObject({ total_jobs: 0 });
});
