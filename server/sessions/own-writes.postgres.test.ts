import { globSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createTestApi, seedMember, SILENT } from "../../tests/support/api.ts";
import { readEventsOf } from "../../tests/support/event-reader.ts";
import { createMeasuredApp, linesOf } from "../../tests/support/measured-app.ts";
import { startPostgres } from "../../tests/support/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../../tests/support/tcp-proxy.ts";
import { openDatabase, type Database } from "../db/client.ts";
import { answerWithin } from "../db/patience.ts";
import { Replica } from "../db/replica.ts";
import { users } from "../db/schema.ts";
import { ANSWER_LIMIT } from "../db/time-limits.ts";
import { sendHeartbeats } from "../heartbeats/contract.ts";
import type { Endpoint } from "../http/contract.ts";
import { readEvents } from "../live/contract.ts";
import { runCommand } from "../ops/command.ts";
import { readPointsLog, readPointsLogDetail } from "../points/contract.ts";
import { readProfile, updateProfile } from "../profile/contract.ts";

const SOON = { timeout: 20_000, interval: 20 };
let server: Awaited<ReturnType<typeof startPostgres>>;
let wire: TcpProxy;
/** Asks the replica itself, past everything. */
let replica: Client;
let processes: Awaited<ReturnType<typeof open>>[] = [];

beforeAll(async () => {
  server = await startPostgres({ standby: "late" });
  const folder = new URL(server.url).searchParams.get("host") ?? "";
  wire = await startTcpProxy(join(folder, ".s.PGSQL.5433"));
});
beforeEach(async () => {
  replica = new Client(server.standby.url);
  replica.on("error", () => {});
  await replica.connect();
  processes = [await open(), await open()];
});
afterEach(async () => {
  wire.goOn();
  await replica.query("select pg_wal_replay_resume()");
  await replica.end();
  await Promise.all(processes.map(({ database }) => database.close()));
});
afterAll(async () => {
  await wire.stop();
  await server.stop();
});

const throughWire = () => `postgres://postgres@127.0.0.1:${wire.port}/postgres`;

/** What a process has that answers members. */
async function open() {
  const options = { databaseUrl: server.url, databaseReadUrl: throughWire(), databasePoolSize: 4 };
  const database = await openDatabase({ ...options, dataDir: "", log: SILENT });
  return { ...describe(database, database.replica), database };
}

function describe(database: Database, its: Replica | undefined) {
  const api = createTestApi(database, { replica: its });
  const { scrape } = createMeasuredApp(api.deps, database);
  async function count(outcome: string) {
    const line = linesOf(await scrape(), `replica_reads_total{outcome="${outcome}"}`)[0];
    return Number(line?.split(" ").at(-1));
  }
  const nameOf = async (token: string) =>
    (await answerWithin(ANSWER_LIMIT, () => api.read(readProfile, { token }))).full_name;
  return { api, count, nameOf, rename: (id: string, fullName: string) => rename(database, id, fullName) };
}

/** What somebody else does. */
const rename = ({ db }: Database, id: string, fullName: string) =>
  db.update(users).set({ fullName }).where(eq(users.id, id));

async function pause() {
  await replica.query("select pg_wal_replay_pause()");
  await vi.waitFor(async () => {
    const { rows } = await replica.query("select pg_get_wal_replay_pause_state() as state");
    expect(rows).toEqual([{ state: "paused" }]);
  }, SOON);
}

/** Until the replica answers a member's reads at a process. */
async function settle({ count, nameOf }: ReturnType<typeof describe>, token: string) {
  const before = await count("answered");
  await vi.waitFor(async () => {
    await nameOf(token);
    expect(await count("answered")).toBeGreaterThan(before);
  }, SOON);
}

async function two() {
  const [here, elsewhere] = processes;
  if (!here || !elsewhere) throw new Error("There are no two processes");
  const [ana, ben] = [await seedMember(here.api.deps), await seedMember(here.api.deps)];
  for (const { token } of [ana, ben]) {
    await settle(here, token);
    await settle(elsewhere, token);
  }
  return { here, elsewhere, ana, ben };
}

test("who has written sees it at every process, while the replica is late; others see what the replica has", async () => {
  const { ana, ben, elsewhere, here } = await two();
  await pause();
  await here.rename(ben.user.id, "Ben");
  await here.api.read(updateProfile, { token: ana.token, body: { full_name: "Ana" } });

  expect([await here.nameOf(ana.token), await elsewhere.nameOf(ana.token)]).toEqual(["Ana", "Ana"]);
  expect([await here.nameOf(ben.token), await elsewhere.nameOf(ben.token)]).toEqual([null, null]);
  expect([await elsewhere.count("behind"), await elsewhere.count("failed")]).toEqual([expect.any(Number), 0]);

  await replica.query("select pg_wal_replay_resume()");
  await settle(elsewhere, ana.token);
  expect([await elsewhere.nameOf(ana.token), await elsewhere.nameOf(ben.token)]).toEqual(["Ana", "Ben"]);
});

test("what an event tells of is there when its page reads it, at whichever process", async () => {
  const { ben, elsewhere, here } = await two();
  await pause();
  const open = async () => {
    const headers = { Authorization: `Bearer ${ben.token}` };
    return readEventsOf(await elsewhere.api.fetch(new Request(`http://api.test${readEvents.path}`, { headers })));
  };
  await here.rename(ben.user.id, "Before");
  expect(await here.nameOf(ben.token)).toBeNull();
  const events = await open();
  onTestFinished(() => events.leave());
  await events.next();
  expect(await here.nameOf(ben.token)).toBe("Before");

  await here.api.deps.db.update(users).set({ fullName: "After", updatedAt: new Date() }).where(eq(users.id, ben.user.id));
  expect((await events.next())?.data.changed).toEqual(["profile"]);
  expect(await here.nameOf(ben.token)).toBe("After");
});

test("a replica that dies costs nobody an answer, and answers again once it is back", async () => {
  const { ana, ben, here } = await two();
  await server.standby.kill();
  await here.rename(ben.user.id, "Ben");
  const names = await Promise.all(Array.from({ length: 8 }, () => here.nameOf(ben.token)));
  expect(new Set(names)).toEqual(new Set(["Ben"]));
  await here.api.read(updateProfile, { token: ana.token, body: { full_name: "Ana" } });
  expect(await here.nameOf(ana.token)).toBe("Ana");
  expect(await here.database.check()).toEqual({ ok: true });

  await server.standby.start();
  replica = new Client(server.standby.url);
  await replica.connect();
  await settle(here, ana.token);
  expect(await here.nameOf(ana.token)).toBe("Ana");
});

test("a replica that hangs is waited for a moment, by nobody after that, and answers again when it goes on", async () => {
  const { ben, here } = await two();
  await here.rename(ben.user.id, "Ben");
  wire.hang();
  expect(await here.nameOf(ben.token)).toBe("Ben");
  expect(await here.count("failed")).toBe(1);
  await vi.waitFor(() => expect(here.database.replica?.status.ok).toBe(false), SOON);
  const away = await here.count("away");
  expect(await here.nameOf(ben.token)).toBe("Ben");
  expect(await here.count("away")).toBe(away + 1);

  wire.goOn();
  wire.reset();
  await settle(here, ben.token);
});

test("a replica that is too far behind is left alone until it has caught up", async () => {
  const { ben, here } = await two();
  const late = new Replica(throughWire(), { primary: here.database.pool, log: SILENT, rules: { every: 10, mostLag: 300 } });
  onTestFinished(() => late.close());
  const there = describe(here.database, late);
  await settle(there, ben.token);
  await pause();
  await here.rename(ben.user.id, "Ben");
  await vi.waitFor(() => expect(late.status).toEqual({ ok: false, reason: "It is too far behind." }), SOON);
  expect(await there.nameOf(ben.token)).toBe("Ben");

  await replica.query("select pg_wal_replay_resume()");
  await settle(there, ben.token);
});

test("whatever may lag is answered by the replica, since nothing of it writes", async () => {
  const { ana, here } = await two();
  await here.api.read(sendHeartbeats, { token: ana.token, body: { beats: [{ timestamp: new Date().toISOString() }] } });
  await settle(here, ana.token);
  const [entry] = (await here.api.read(readPointsLog, { token: ana.token })).data;
  const contracts = await Promise.all(
    globSync("server/*/contract.ts").map((file): Promise<Record<string, Partial<Endpoint>>> => import(`../../${file}`)),
  );
  const reads = contracts.flatMap((contract) => Object.values(contract)).filter(({ mayLag }) => mayLag);
  expect(reads.length).toBeGreaterThan(25);
  const before = await here.count("answered");
  for (const { method = "GET", path = "/" } of reads) {
    const params = { id: path === readPointsLogDetail.path ? String(entry?.id) : "" };
    expect(await here.api.call(`${method} ${path}`, { token: ana.token, params })).toMatchObject({ status: 200 });
  }
  expect([await here.count("answered"), await here.count("failed")]).toEqual([before + reads.length, 0]);
});

test("nothing is read from a server that is no replica of this database", async () => {
  const [here] = processes;
  const elsewhere = process.env.TEST_DATABASE_URL ?? "";
  for (const [url, reason] of [
    [server.url, "It is no replica: it takes writes itself."],
    [elsewhere, "It is no replica of the database that DATABASE_URL names."],
  ] as const) {
    const other = new Replica(url, { primary: here?.database.pool ?? expect.fail(), log: SILENT });
    onTestFinished(() => other.close());
    await vi.waitFor(() => expect(other.status).toEqual({ ok: false, reason }), SOON);
    expect(await other.has("0/1")).toBe("away");
    expect(await examine(url)).toMatchObject([{ state: "broken", says: reason }]);
  }
});

test("the doctor says how far behind it is, and that it cannot be reached", async () => {
  expect(await examine(server.standby.url)).toEqual([
    { name: "replica", state: "ok", says: expect.stringMatching(/^It is .* of the primary's log behind\.$/) },
  ]);
  expect(await examine("postgres://app:planted@127.0.0.1:1/nodebeat")).toEqual([
    {
      name: "replica",
      state: "warning",
      says: expect.stringContaining('The database "nodebeat" on 127.0.0.1:1 cannot be opened as "app"'),
      todo: "Members' reads come from the primary meanwhile. Check DATABASE_READ_URL.",
    },
  ]);
});

async function examine(readUrl: string) {
  const said: string[] = [];
  const note = (text: string) => void said.push(text);
  const settings = { DATABASE_URL: server.url, DATABASE_READ_URL: readUrl };
  await runCommand(["doctor", "--json"], settings, { out: note, err: note });
  const checks = JSON.parse(said.join("\n")) as { name: string }[];
  return checks.filter(({ name }) => name === "replica");
}
