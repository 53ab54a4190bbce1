import { expect, test } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { PartId } from "./contract.ts";
import { readFigures } from "./figures.ts";
import { countStreak, judge } from "./judge.ts";

/** Collects metrics as a server does. */
function measure() {
  const metrics = createMetrics();
  metrics.ready.set({ part: "database" }, 1);
  metrics.ready.set({ part: "chain" }, 1);
  const answer = (route: string, status: string, times = 1, { method = "POST", seconds = 0.01 } = {}) => {
    for (let time = 0; time < times; time += 1) metrics.requests.observe({ method, route, status }, seconds);
  };
  return { metrics, answer, read: () => readFigures(metrics) };
}

async function grade(
  part: "api" | "database" | "heartbeats" | "chain" | "mail",
  change: (measured: ReturnType<typeof measure>) => void,
) {
  const measured = measure();
  const before = await measured.read();
  change(measured);
  return judge(before, await measured.read(), 0)[part]?.grade;
}

const gone = ({ metrics }: ReturnType<typeof measure>) => metrics.ready.set({ part: "database" }, 0);

const readOnly = ({ metrics }: ReturnType<typeof measure>) => {
  metrics.ready.set({ part: "database" }, 0);
  metrics.readOnly.set(1);
};

const failing =
  (bad: number, all: number) =>
  ({ metrics }: ReturnType<typeof measure>) => {
    metrics.jobs.set({ kind: "chain" }, all);
    metrics.failingJobs.set({ kind: "chain" }, bad);
  };

test("every part is up if nothing is wrong", async () => {
  const measured = measure();
  const before = await measured.read();
  measured.answer("/api/user", "2xx", 100);
  measured.answer("/api/heartbeats", "2xx", 100);
  measured.metrics.countMail("sent", 5);
  const seen = judge(before, await measured.read(), 0);
  expect(Object.entries(seen).map(([part, { grade }]) => [part, grade])).toEqual([
    ["api", 0],
    ["database", 0],
    ["heartbeats", 0],
    ["chain", 0],
    ["mail", 0],
  ]);
  expect(seen.heartbeats?.lagSeconds).toBe(0.01);
});

test.each([
  ["a failure among many", { good: 99, bad: 1 }, 0],
  ["one failure in twenty", { good: 57, bad: 3 }, 1],
  ["two failures, which are too few", { good: 38, bad: 2 }, 0],
  ["every other response", { good: 5, bad: 5 }, 2],
  ["three of five", { good: 2, bad: 3 }, 2],
  ["all of four", { good: 0, bad: 4 }, 1],
  ["the only response", { good: 0, bad: 1 }, 1],
  ["client errors", { good: 0, bad: 0, refused: 50 }, 0],
])("grades the API by its responses: %s", async (_, { good, bad, ...rest }, expected) => {
  const refused = "refused" in rest ? rest.refused : 0;
  const change = ({ answer }: ReturnType<typeof measure>) => {
    answer("/api/user", "2xx", good);
    answer("/api/user", "5xx", bad);
    answer("/api/user", "4xx", refused);
  };
  expect(await grade("api", change)).toBe(expected);
});

test("grades the API without pages and without earlier failures", async () => {
  expect(await grade("api", ({ answer }) => answer("/dashboard", "5xx", 20))).toBe(0);
  const measured = measure();
  measured.answer("/api/user", "5xx", 20);
  const before = await measured.read();
  measured.answer("/api/user", "2xx", 5);
  expect(judge(before, await measured.read(), 0).api?.grade).toBe(0);
});

test("grades heartbeats by their duration and their failures", async () => {
  const slow = ({ answer }: ReturnType<typeof measure>) => answer("/api/heartbeats", "2xx", 10, { seconds: 7 });
  expect(await grade("heartbeats", slow)).toBe(1);
  expect(await grade("heartbeats", ({ answer }) => answer("/api/heartbeats", "5xx", 10))).toBe(2);
  const measured = measure();
  const before = await measured.read();
  measured.answer("/api/heartbeats", "2xx", 94, { seconds: 0.02 });
  measured.answer("/api/heartbeats", "2xx", 6, { seconds: 3 });
  expect(judge(before, await measured.read(), 0).heartbeats).toEqual({ grade: 0, lagSeconds: 5 });
  const then = await measured.read();
  measured.answer("/api/heartbeats", "2xx", 95);
  measured.answer("/api/heartbeats", "2xx", 5, { seconds: 3 });
  expect(judge(then, await measured.read(), 0).heartbeats).toEqual({ grade: 0, lagSeconds: 0.01 });
});

test("every part that needs the database is down without it", async () => {
  for (const part of ["api", "database", "heartbeats", "mail"] as const) expect(await grade(part, gone)).toBe(2);
  expect(await grade("chain", gone)).toBe(0);
});

test("a read-only database degrades what reads, and takes down what writes", async () => {
  const expected = { api: 1, database: 1, heartbeats: 2, mail: 2, chain: 0 } as const;
  for (const part of PartId.options) expect([part, await grade(part, readOnly)]).toEqual([part, expected[part]]);
});

test("grades the API only by its reads while the database is read-only", async () => {
  const measured = measure();
  const before = await measured.read();
  measured.answer("/api/heartbeats", "5xx", 50);
  measured.answer("/api/user", "2xx", 5, { method: "GET" });
  readOnly(measured);
  const during = await measured.read();
  expect(judge(before, during, 0).api?.grade).toBe(1);

  measured.answer("/api/user", "5xx", 5, { method: "GET" });
  const failed = await measured.read();
  expect(judge(during, failed, 0).api?.grade).toBe(2);

  measured.answer("/api/heartbeats", "5xx", 50);
  measured.metrics.ready.set({ part: "database" }, 1);
  measured.metrics.readOnly.set(0);
  expect(judge(failed, await measured.read(), 0).api?.grade).toBe(0);
});

test("grades the chain by whether it is reachable, and by jobs that keep failing", async () => {
  expect(await grade("chain", ({ metrics }) => metrics.ready.set({ part: "chain" }, 0))).toBe(2);
  expect(await grade("chain", failing(1, 10))).toBe(0);
  expect(await grade("chain", failing(1, 2))).toBe(1);
  expect(await grade("chain", failing(2, 4))).toBe(1);
  expect(await grade("chain", failing(3, 6))).toBe(2);
});

test("grades mail by how long it is overdue, and by failures without a sent mail", async () => {
  const late =
    (seconds: number) =>
    ({ metrics }: ReturnType<typeof measure>) =>
      metrics.oldestJob.set({ kind: "mail" }, seconds);
  expect([await grade("mail", late(299)), await grade("mail", late(300)), await grade("mail", late(900))]).toEqual([
    0, 1, 2,
  ]);

  const { metrics, read } = measure();
  metrics.jobs.set({ kind: "mail" }, 4);
  metrics.failingJobs.set({ kind: "mail" }, 4);
  const before = await read();
  metrics.countMail("failed", 4);
  const failed = await read();
  const streak = countStreak(before, failed, 7);
  expect([streak, judge(before, failed, streak).mail?.grade]).toEqual([11, 2]);
  expect([2, 3, 9, 10].map((length) => judge(before, failed, length).mail?.grade)).toEqual([0, 1, 1, 2]);
  // A few mails that fail again and again may be due to their mailboxes.
  for (const [count, grade] of [
    [2, 1],
    [3, 2],
  ] as const) {
    metrics.failingJobs.set({ kind: "mail" }, count);
    expect(judge(before, await read(), 10).mail?.grade).toBe(grade);
  }
  // Once no mail waits any more, the streak starts over, unless the queue could not be read.
  metrics.jobs.set({ kind: "mail" }, 0);
  expect(countStreak(failed, await read(), streak)).toBe(0);
  metrics.ready.set({ part: "database" }, 0);
  expect(countStreak(failed, await read(), streak)).toBe(streak);
  metrics.countMail("sent");
  expect(countStreak(failed, await read(), streak)).toBe(0);
});
