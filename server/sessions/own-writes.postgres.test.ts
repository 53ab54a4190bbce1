import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { seedMember, SILENT } from "../../tests/support/api/api.ts";
import { endpoints } from "../../tests/support/api/endpoints.ts";
import { readEventsOf } from "../../tests/support/api/event-reader.ts";
import { hasPgBouncer, startPgBouncer } from "../../tests/support/database/pgbouncer.ts";
import { startPostgres } from "../../tests/support/database/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../../tests/support/servers/tcp-proxy.ts";
import { readCampaignMail, unsubscribeCampaignMail } from "../campaign-mail/contract.ts";
import { openDatabase } from "../db/client.ts";
import { users } from "../db/schema.ts";
import { sendHeartbeats } from "../heartbeats/contract.ts";
import { readEvents } from "../live/contract.ts";
import { createUnsubscribeCode } from "../mailed-code/unsubscribe-code.ts";
import { runCommand } from "../ops/command.ts";
import { replica as replicaCheck } from "../ops/doctor/replica.ts";
import { readEnvLeniently } from "../ops/ops-env.ts";
import { readPointsLog } from "../points/contract.ts";
import { updateProfile } from "../profile/contract.ts";
import { readSilenceMail, setSilenceMail, unsubscribeSilenceMail } from "../silence-mail/contract.ts";
import { close, describe, openReplica, type Process } from "./own-writes.fixture.ts";

const SOON = { timeout: 20_000, interval: 10 };

let server: Awaited<ReturnType<typeof startPostgres>>;
let wire: TcpProxy;
/** A connection to the replica itself, past the proxy and the pool. */
let replica: Client;
let here: Process;
let elsewhere: Process;

beforeAll(async () => {
  server = await startPostgres({ standby: "late" });
  wire = await startTcpProxy(socketOf(5433));
  replica = await connect();
  [here, elsewhere] = [await open(), await open()];
});
afterEach(async () => {
  await replica.query("select pg_wal_replay_resume()");
});
afterAll(async () => {
  await replica.end();
  for (const each of [here, elsewhere]) await close(each);
  await wire.stop();
  await server.stop();
});

const socketOf = (port: number) => join(new URL(server.url).searchParams.get("host") ?? "", `.s.PGSQL.${port}`);
const throughWire = () => `postgres://postgres@127.0.0.1:${wire.port}/postgres`;

async function connect() {
  const client = new Client(server.standby.url);
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function open(url = throughWire()) {
  const database = await openDatabase({ databaseUrl: server.url, databasePoolSize: 4, dataDir: "", log: SILENT });
  return describe(database, openReplica(database, url));
}

/** Changes a member's name directly in the database, not in a call of theirs. */
const rename = (id: string, fullName: string) =>
  here.database.db.update(users).set({ fullName, updatedAt: new Date() }).where(eq(users.id, id));

async function pause() {
  await replica.query("select pg_wal_replay_pause()");
  await vi.waitFor(async () => {
    const { rows } = await replica.query("select pg_get_wal_replay_pause_state() as state");
    expect(rows).toEqual([{ state: "paused" }]);
  }, SOON);
}

/** Waits until the replica answers a member's reads at a process. */
async function settle({ count, nameOf }: Process, token: string) {
  const before = await count("answered");
  await vi.waitFor(async () => {
    await nameOf(token);
    expect(await count("answered")).toBeGreaterThan(before);
  }, SOON);
}

/** Creates a member whose reads the replica answers at every process. */
async function settled() {
  const member = await seedMember(here.api.deps);
  for (const each of [here, elsewhere]) await settle(each, member.token);
  return { ...member, id: member.user.id };
}

test("while the replica lags, members see their own writes at every process, others the replica's data", async () => {
  const [ana, ben] = [await settled(), await settled()];
  await pause();
  await rename(ben.id, "Ben");
  await here.api.read(updateProfile, { token: ana.token, body: { full_name: "Ana" } });
  const [behind, failed] = [await elsewhere.count("behind"), await elsewhere.count("failed")];

  expect([await here.nameOf(ana.token), await elsewhere.nameOf(ana.token)]).toEqual(["Ana", "Ana"]);
  expect([await here.nameOf(ben.token), await elsewhere.nameOf(ben.token)]).toEqual([null, null]);
  expect([await elsewhere.count("behind"), await elsewhere.count("failed")]).toEqual([behind + 1, failed]);

  await replica.query("select pg_wal_replay_resume()");
  await settle(elsewhere, ana.token);
  expect([await elsewhere.nameOf(ana.token), await elsewhere.nameOf(ben.token)]).toEqual(["Ana", "Ben"]);
});

test.each([
  ["about campaigns", "campaignLink", unsubscribeCampaignMail, readCampaignMail, { subscribed: false }],
  ["about silent nodes", "silenceLink", unsubscribeSilenceMail, readSilenceMail, { afterHours: null }],
] as const)(
  "unsubscribing by link from emails %s is visible in the member's session, even if the replica lags",
  async (_, kind, end, read, off) => {
    const { id, token } = await settled();
    await here.api.read(setSilenceMail, { token, body: { afterHours: 3, tellsReturn: false } });
    await settle(elsewhere, token);
    await pause();
    const code = createUnsubscribeCode(here.api.deps, kind, id);
    await here.api.call(`POST ${end.path}`, { body: { code } });
    expect(await elsewhere.api.call(`GET ${read.path}`, { token })).toMatchObject({ body: off });
  },
);

test("a page that receives an event can read the change at any process", async () => {
  const { id, token } = await settled();
  await pause();
  await rename(id, "Before");
  expect(await here.nameOf(token)).toBeNull();
  const request = new Request(`http://api.test${readEvents.path}`, { headers: { Authorization: `Bearer ${token}` } });
  const events = readEventsOf(await elsewhere.api.fetch(request));
  onTestFinished(() => events.leave());
  await events.next();
  expect(await here.nameOf(token)).toBe("Before");

  await rename(id, "After");
  expect((await events.next())?.data.changed).toEqual(["profile"]);
  expect(await here.nameOf(token)).toBe("After");
});

test("a dead replica fails no request, and answers again once it is back", async () => {
  const [ana, ben] = [await settled(), await settled()];
  await server.standby.kill();
  await rename(ben.id, "Ben");
  const names = await Promise.all(Array.from({ length: 8 }, () => elsewhere.nameOf(ben.token)));
  expect(new Set(names)).toEqual(new Set(["Ben"]));
  await elsewhere.api.read(updateProfile, { token: ana.token, body: { full_name: "Ana" } });
  expect(await elsewhere.nameOf(ana.token)).toBe("Ana");
  expect(await elsewhere.database.check()).toEqual({ ok: true });

  await server.standby.start();
  replica = await connect();
  await settle(elsewhere, ana.token);
  expect(await elsewhere.nameOf(ana.token)).toBe("Ana");
});

test("a hanging replica delays one read, is skipped after that, and answers again once it recovers", async () => {
  const { id, token } = await settled();
  const hasty = openReplica(here.database, throughWire(), { queryLimit: 200, readLimit: 400 });
  onTestFinished(() => hasty.close());
  const there = describe(here.database, hasty);
  await settle(there, token);
  await rename(id, "Ben");
  wire.hang();
  onTestFinished(() => wire.goOn());
  expect(await there.nameOf(token)).toBe("Ben");
  await vi.waitFor(() => expect(hasty.status.ok).toBe(false), SOON);
  const [away, failed] = [await there.count("away"), await there.count("failed")];
  expect(await there.nameOf(token)).toBe("Ben");
  expect([await there.count("away"), await there.count("failed")]).toEqual([away + 1, failed]);

  wire.goOn();
  wire.reset();
  await settle(there, token);
});

test("a replica that is too far behind is not used until it has caught up", async () => {
  const { id, token } = await settled();
  const late = openReplica(here.database, throughWire(), { mostLag: 300 });
  onTestFinished(() => late.close());
  const there = describe(here.database, late);
  await settle(there, token);
  await pause();
  await rename(id, "Ben");
  // On a busy machine the replica may count as behind even before the rename, and then catch up with that moment but
  // not with the rename.
  await vi.waitFor(async () => expect(await there.nameOf(token)).toBe("Ben"), SOON);
  expect(late.status).toEqual({ ok: false, reason: "It is too far behind." });
  expect(await there.readLag()).toBeGreaterThan(0.3);

  await replica.query("select pg_wal_replay_resume()");
  await settle(there, token);
});

test("the replica answers every endpoint that may lag", async () => {
  const { token } = await settled();
  await here.api.read(sendHeartbeats, { token, body: { beats: [{ timestamp: here.api.deps.now().toISOString() }] } });
  await settle(here, token);
  const [entry] = (await here.api.read(readPointsLog, { token })).data;
  const reads = endpoints.filter(({ mayLag }) => mayLag);
  expect(reads.length).toBeGreaterThan(25);
  const [answered, failed] = [await here.count("answered"), await here.count("failed")];
  for (const { path } of reads) {
    const options = { token, params: { id: String(entry?.id) }, query: { range: "last7days" } };
    expect([path, (await here.api.call(`GET ${path}`, options)).status]).toEqual([path, 200]);
  }
  expect([await here.count("answered"), await here.count("failed")]).toEqual([answered + reads.length, failed]);
});

test("a process reads from the replica in its settings", async () => {
  const { token } = await settled();
  const options = { databaseUrl: server.url, databaseReadUrl: throughWire(), dataDir: "", log: SILENT };
  const database = await openDatabase(options);
  onTestFinished(() => database.close());
  const there = describe(database, database.replica);
  await expect(settle(there, token)).resolves.toBeUndefined();
});

test("a server that is not a replica of this database is not used", async () => {
  for (const [url, reason] of [
    [server.url, "It is not a replica: it takes writes itself."],
    [process.env.TEST_DATABASE_URL ?? "", "It is not a replica of the database in DATABASE_URL."],
  ] as const) {
    const other = openReplica(here.database, url);
    onTestFinished(() => other.close());
    await vi.waitFor(() => expect(other.status).toEqual({ ok: false, reason }), SOON);
    expect(await other.has("0/1")).toBe("away");
    expect(await examine(url)).toMatchObject([{ state: "broken", says: reason }]);
  }
});

test("a connection to a server other than the checked replica is not used", async () => {
  const { db, pool } = here.database;
  const other = openReplica(here.database, throughWire());
  onTestFinished(() => other.close());
  await vi.waitFor(() => expect(other.status.ok).toBe(true), SOON);
  wire.turnTo(socketOf(5432));
  onTestFinished(() => wire.turnTo(socketOf(5433)));
  const read = () => other.read(() => db.execute(sql`select pg_is_in_recovery()`));
  await expect(read()).rejects.toMatchObject({ cause: { message: "The replica is another one than before." } });

  wire.turnTo(socketOf(5433));
  expect((await read()).rows).toEqual([{ pg_is_in_recovery: true }]);
  expect((await pool.query("select pg_is_in_recovery()")).rows).toEqual([{ pg_is_in_recovery: false }]);
});

test("the doctor says how far behind the replica is, or that it cannot be reached", async () => {
  const said: string[] = [];
  const settings = { DATABASE_URL: server.url, DATABASE_READ_URL: server.standby.url };
  await runCommand(["doctor"], settings, { out: (text) => void said.push(text), err: (text) => expect.fail(text) });
  expect(said.join("\n")).toMatch(/^ok +replica: It is .* of the primary's log behind\.$/m);
  const nowhere = new URL(server.standby.url);
  nowhere.pathname = "nowhere";
  expect(await examine(nowhere.href)).toEqual([
    {
      name: "replica",
      state: "warning",
      says: expect.stringContaining('cannot be opened as "postgres": database "nowhere" does not exist'),
      todo: "Members' reads come from the primary meanwhile. Check DATABASE_READ_URL.",
    },
  ]);
});

const examine = (readUrl: string) =>
  replicaCheck.examine({
    ...readEnvLeniently({ DATABASE_URL: server.url, DATABASE_READ_URL: readUrl }),
    sendTo: undefined,
  });

test.skipIf(!hasPgBouncer)("a replica can be reached through PgBouncer and its shared connections", async () => {
  const [{ token }, pooler] = [await settled(), await startPgBouncer(server.standby.url)];
  onTestFinished(() => pooler.stop());
  const pooled = await open(pooler.url);
  onTestFinished(() => close(pooled));
  await settle(pooled, token);
  const failed = await pooled.count("failed");
  await Promise.all(Array.from({ length: 20 }, () => pooled.nameOf(token)));
  expect(await pooled.count("failed")).toBe(failed);
});
