import { sql } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../tests/support/api/api.ts";
import { createProviderTest } from "../../tests/support/supabase/provider-test.ts";
import { startPostgres, type TestPostgres } from "../../tests/support/database/postgres.ts";
import { runOn } from "../../tests/support/database/test-database.ts";
import { createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";
import { createMeasuredApp, readMetricLines } from "../../tests/support/servers/measured-app.ts";
import { createFigures } from "../boot/metrics-page.ts";
import { readEvents } from "../live/contract.ts";
import { exportPointsLog } from "../points/contract.ts";
import { readUser, updateProfile } from "../profile/contract.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { PartId } from "../status/contract.ts";
import { createSampler } from "../status/sampler.ts";
import { openDatabase, type Database } from "./client.ts";

let server: TestPostgres;
let database: Database;

const open = () => openDatabase({ databaseUrl: server.url, dataDir: "", log: pino({ level: "silent" }) });

beforeAll(async () => {
  server = await startPostgres();
  database = await open();
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

/** Simulates a failover: ends all connections, and new ones find a read-only database. */
async function makeReadOnly() {
  await runOn(server.url, "alter database postgres set default_transaction_read_only = on");
  const cut = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'nodebeat'";
  await runOn(server.url, cut);
}

/** Makes new connections writable. Open ones stay read-only. */
const makeWritable = () =>
  runOn(server.url, "set transaction_read_only = off; alter database postgres reset default_transaction_read_only");

const detail = "The database can only be read: it is a replica, or was set to read-only.";

const MANY = Array.from({ length: 5 }, (_, index) => index);

test("a read-only database is not ready, still serves reads, and recovers without a restart", async () => {
  const clock = createTestClock();
  const api = createTestApi(database, { now: clock.now });
  const { token } = await seedMember(api.deps);
  const health = { check: () => database.check(), checkChain: async () => ({ ok: true }) as const };
  const { app } = createAppUnderTest({ health: { reason: "database", ...health, isLeaving: () => false } });
  const askReady = async () => {
    const response = await app.request("/readyz");
    return [response.status, await response.json()];
  };
  const read = async () => (await api.call(readUser, { token })).status;
  const write = () => api.call(updateProfile, { token, body: { full_name: "Ada Lovelace" } });
  const { scrape } = createMeasuredApp(api.deps, database);
  const sampler = createSampler(api.deps, { figures: createFigures(api.deps, database), parts: PartId.options });
  /** Reads what Prometheus scrapes and what members see. */
  const askOthers = async () => {
    await sampler.sample();
    const { isReadOnly, parts } = api.deps.status.report();
    const states = Object.fromEntries(parts.map(({ id, state }) => [id, state]));
    const ready = readMetricLines(await scrape(), "ready").find((line) => line.includes("database"));
    return { ready, isReadOnly, ...states };
  };
  const fine = { ready: 'ready{part="database"} 1', isReadOnly: false, database: "up", heartbeats: "up", mail: "up" };
  expect([await read(), (await write()).status]).toEqual([200, 200]);
  expect(await askOthers()).toMatchObject({ ...fine, api: "up" });

  await makeReadOnly();
  // Long enough for the session's last use to be recorded.
  clock.advance(6 * 60_000);
  await expect.poll(askReady).toEqual([503, { status: "unavailable", reason: "database", detail }]);
  expect(await Promise.all(MANY.map(read))).toEqual(MANY.map(() => 200));
  const refused = await write();
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
  await expect.poll(askOthers).toMatchObject({
    ready: 'ready{part="database"} 0',
    isReadOnly: true,
    api: "degraded",
    database: "degraded",
    heartbeats: "down",
    mail: "down",
  });
  expect(api.deps.status.notice()).toBe("Everything can be read, but nothing can be changed or recorded right now");
  expect(await read()).toBe(200);

  // Connections that were opened meanwhile are still read-only.
  await Promise.all(MANY.map(() => database.db.execute(sql`select pg_sleep(0.01)`)));
  await makeWritable();
  await write();
  const healed = await Promise.all(MANY.map(write));
  expect(healed.map(({ status }) => status)).toEqual(MANY.map(() => 200));
  expect(await askReady()).toEqual([200, { status: "ok" }]);
  await expect.poll(askOthers).toMatchObject(fine);
  expect(api.deps.status.notice()).toBeUndefined();
});

test("a session that is due for a check at Supabase stays signed in while the database is read-only", async () => {
  const { api, clock, isSignedIn, join, supabase } = await createProviderTest({ database });
  onTestFinished(() => supabase.close());
  const { token } = await join();
  const listen = () =>
    api.fetch(new Request(`http://api.test${readEvents.path}`, { headers: { Authorization: `Bearer ${token}` } }));
  await makeReadOnly();
  onTestFinished(makeWritable);
  await expect.poll(() => database.check()).toEqual({ ok: false, reason: detail });
  clock.advance(60 * 60_000);
  supabase.takeRequests();

  expect(await Promise.all(MANY.map(() => isSignedIn(token)))).toEqual(MANY.map(() => true));
  const { status, headers } = await listen();
  expect([status, headers.get("Retry-After")]).toEqual([503, "30"]);
  expect(supabase.takeRequests()).toEqual([]);

  await makeWritable();
  await expect.poll(() => database.check()).toEqual({ ok: true });
  expect([await isSignedIn(token), supabase.takeRequests()]).toEqual([true, ["POST /token"]]);
});

test("the log can be exported while the database is read-only, as often as its limit allows", async () => {
  const api = createTestApi(database, { now: createTestClock().now });
  const { token } = await seedMember(api.deps);
  await makeReadOnly();
  onTestFinished(makeWritable);
  await expect.poll(() => database.check()).toEqual({ ok: false, reason: detail });

  const statuses: number[] = [];
  for (let index = 0; index <= LIMITS.logExportByAccount.burst; index++)
    statuses.push((await api.call(exportPointsLog, { token })).status);
  expect(statuses).toEqual([...Array<number>(LIMITS.logExportByAccount.burst).fill(200), 429]);

  await makeWritable();
  await expect.poll(() => database.check()).toEqual({ ok: true });
});

test("a database that is read-only at start is not ready from the beginning", async () => {
  await makeReadOnly();
  onTestFinished(makeWritable);
  const started = await open();
  onTestFinished(() => started.close());
  const known = [started.status(), started.readiness()];
  expect(known).toEqual([{ ok: true }, { ok: false, reason: detail, isReadOnly: true }]);
});
