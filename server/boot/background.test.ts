import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { createTestClock, createTestDeps } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { backgroundJobs, statusSamples } from "../db/schema.ts";
import { startOperator } from "../ops/operator.fixture.ts";
import { createLog } from "../log/log.ts";
import { describeKinds, describeSchedules, startBackground } from "./background.ts";
import { createFigures } from "./metrics-page.ts";
import { startStatusWatch } from "./status-watch.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

test("jobs can be listed by every kind and by no other, and operations.md explains each kind", async () => {
  const deps = createTestDeps(database);
  const ops = await startOperator(deps);
  const provider = createEmbeddedProvider(deps);
  const transport = { send: () => Promise.reject(new Error("Nothing is sent here")) };
  const kinds = describeKinds(deps, provider, { transport, origin: "https://nodebeat.test" });
  const all = [...Object.keys(kinds), ...Object.keys(describeSchedules(deps, provider))];
  for (const kind of all) expect([kind, await ops("jobs", "list", "--kind", kind)]).toEqual([kind, "0 Nothing."]);

  // A backend that has the accounts also has the mail.
  const remote = { ...deps, env: { ...deps.env, authApiUrl: "https://auth.example" } };
  const remoteKinds = describeKinds(remote, provider, { transport, origin: "https://nodebeat.test" });
  const there = { ...remoteKinds, ...describeSchedules(remote, provider) };
  expect(all.filter((kind) => !(kind in there))).toEqual(["mail", "email-campaign", "look-for-silence"]);

  const refused = await ops("jobs", "list", "--kind", "nonsense");
  expect(refused.split("\n")[0]).toBe(`2 --kind: There is no such kind. There are ${all.join(", ")}.`);

  const [, jobs = ""] = readFileSync("docs/operations.md", "utf8").split("\n## Jobs\n");
  const [explained = ""] = jobs.split("\n\n- ");
  expect(all.filter((kind) => !explained.includes(`\`${kind}\``))).toEqual([]);
});

test.each([
  [{ role: "both" }, ["api", "chain", "database", "heartbeats", "mail"]],
  [{ role: "web" }, ["api", "chain", "database", "heartbeats"]],
  [{ role: "worker" }, ["chain", "database", "mail"]],
  [{ role: "both", authApiUrl: "https://auth.example" }, ["api", "chain", "database", "heartbeats"]],
] as const)("a process with %j reports the status of %j and of no other part", async (env, parts) => {
  await database.reset();
  const deps = createTestDeps(database, { env });
  await startStatusWatch(deps, async () => deps.metrics.ready.set({ part: "database" }, 1))();
  const { part } = statusSamples;
  const seen = await database.db.selectDistinct({ part }).from(statusSamples).orderBy(part);
  expect(seen.map((each) => each.part)).toEqual(parts);
});

test("a start warns of a retention that has no effect because its table is not divided", async () => {
  await database.reset();
  const start = async (ledgerRetentionMonths?: number) => {
    const lines: string[] = [];
    const log = createLog({ level: "warn", destination: { write: (line) => void lines.push(line) } });
    const deps = createTestDeps(database, { log, env: { ledgerRetentionMonths } });
    await startBackground(deps, { url: "https://nodebeat.test", alone: true })();
    return lines;
  };
  expect(await start()).toEqual([]);
  expect(await start(13)).toEqual([
    expect.stringMatching(/"settings":\["LEDGER_RETENTION_MONTHS"\].+ database partition/),
  ]);
});

test("a process that sends no mail tells members once mail is late, and saves that", async () => {
  await database.reset();
  const clock = createTestClock();
  const deps = createTestDeps(database, { now: clock.now, env: { role: "web" } });
  await database.db.insert(backgroundJobs).values({ kind: "mail", key: "late", dueAt: clock.now() });
  const figures = createFigures(deps, database);
  const told: unknown[] = [];
  for (const minutes of [4, 1, 9, 1]) {
    clock.advance(minutes * 60_000);
    await startStatusWatch(deps, figures)();
    const { parts } = deps.status.report();
    told.push([parts.find(({ id }) => id === "mail")?.state, deps.status.notice()]);
  }
  const degraded = ["degraded", "Some of Nodebeat is slow or fails at times: Email"];
  expect(told).toEqual([["unknown", undefined], degraded, degraded, ["down", "Some of Nodebeat is down: Email"]]);
  const { minute, part } = statusSamples;
  const saved = await database.db.select().from(statusSamples).where(eq(part, "mail")).orderBy(minute);
  expect(saved.map(({ state }) => state)).toEqual([1, 1, 2]);
});
