import { fork } from "node:child_process";
import { once } from "node:events";
import { Pool } from "pg";
import { uuidv7 } from "uuidv7";
import { createCredential } from "../../server/secrets/credential.ts";
import { checkLedger, describeDifference } from "../../server/points/ledger/rebuild.ts";
import { openDatabase } from "../../server/db/client.ts";
import { readEnv } from "../../server/env.ts";
import { createLog } from "../../server/log/log.ts";
import { startApp, type RunningApp } from "../support/servers/start-app.ts";
import { startPostgres } from "../support/database/postgres.ts";
import { insertBare } from "./bare-inserts.ts";
import { cpuMicroseconds } from "./cpu-time.ts";
import type { LoadOptions, LoadResult } from "./heartbeat-load.ts";
import { readNumber, readOptions } from "../support/command-options.ts";
import { percentile } from "../support/percentile.ts";
import { expect } from "./expect.ts";

/*
 * Heartbeats over HTTP at one server process, with PostgreSQL on the same machine and everything enabled: device keys,
 * the ledger and its sums, the log, and commits that wait for the disk. First in batches, then one at a time, each
 * compared with bare INSERTs of the same rows. Finally the server is killed while it does both: what it acknowledged
 * must be there, once.
 */
readOptions(
  "npm run bench:heartbeats      heartbeats a second over HTTP beside bare INSERTs; with BENCH_SECONDS another number",
  {},
);

const SECONDS = readNumber("BENCH_SECONDS", process.env.BENCH_SECONDS ?? "10");
const KILL_AFTER_MS = 3_000;
const INTERVAL_SECONDS = 900;
/** A week of outage. */
const SLOTS = 600;
const NODES = 4_000;
/** How many database connections the server has, and the bare `INSERT`s, too. */
const CONNECTIONS = readEnv({}).databasePoolSize;
const PHASES = {
  batches: { batch: 100, connections: 16, least: 10_000 },
  single: { batch: 1, connections: 64, least: 2_000 },
};

type Node = { userId: string; key: string };
type Phase = Pick<LoadOptions, "batch" | "connections">;

const interval = INTERVAL_SECONDS * 1000;
const newest = Math.floor(Date.now() / interval) * interval;
const postgres = await startPostgres({ isDurable: true, settings: ["shared_buffers=512MB", "max_wal_size=4GB"] });
const pool = new Pool({ connectionString: postgres.url, max: CONNECTIONS });
let app = await start();

try {
  for (const [name, { least, ...phase }] of Object.entries(PHASES)) {
    await load(await addNodes(NODES / 4), { ...phase, seconds: 3 });
    const nodes = await addNodes(NODES);
    const users = nodes.map(({ userId }) => userId);
    const before = await cpuMicroseconds(app.pid);
    const result = await load(nodes, { ...phase, seconds: SECONDS });
    const cpu = ((await cpuMicroseconds(app.pid)) - before) / result.acknowledged;
    const bare = await insertBare({ pool, users, batch: phase.batch, newest, interval, seconds: SECONDS / 2 });
    describe(name, phase, result, bare);
    console.log(`  ${cpu.toFixed(0)} µs of the server's processor time a beat`);
    const rate = result.acknowledged / result.seconds;
    expect(`${count(rate)} beats a second, of at least ${count(least)}`, rate >= least);
    expect("every request is answered by 200", Object.keys(result.statuses).join() === "200");
  }
  await killInTheMiddle();
} finally {
  await pool.end();
  await app.close();
  await postgres.stop();
}

function start(): Promise<RunningApp> {
  const settings = { HEARTBEAT_INTERVAL_SECONDS: String(INTERVAL_SECONDS), LOG_LEVEL: "info" };
  return startApp({ databaseUrl: postgres.url, settings });
}

/** Adds members with a node each, by set-based SQL: registration is not measured here. */
async function addNodes(count: number): Promise<Node[]> {
  const nodes = Array.from({ length: count }, () => ({ userId: uuidv7(), ...createCredential("device") }));
  await pool.query(
    `with members as (
      insert into users (id, email, email_key)
      select id, id || '@nodebeat.test', id || '@nodebeat.test' from unnest($1::uuid[]) as id
    )
    insert into node_devices (user_id, id, name, key_hash)
    select user_id, user_id, 'Bench', key_hash from unnest($1::uuid[], $2::bytea[]) as node (user_id, key_hash)`,
    [nodes.map(({ userId }) => userId), nodes.map(({ hash }) => hash)],
  );
  await pool.query("vacuum analyze users, node_devices");
  return nodes.map(({ token: key, userId }) => ({ userId, key }));
}

async function load(nodes: Node[], phase: Phase & { seconds: number }): Promise<LoadResult> {
  const child = fork(new URL("./heartbeat-load.ts", import.meta.url), { execArgv: [] });
  const keys = nodes.map(({ key }) => key);
  child.send({ url: app.url, keys, newest, interval, slots: SLOTS, ...phase } satisfies LoadOptions);
  const [result] = await Promise.race([
    once(child, "message") as Promise<[LoadResult]>,
    once(child, "exit").then(([code]) => Promise.reject(new Error(`The load ended with ${code}`))),
  ]);
  return result;
}

async function killInTheMiddle() {
  const [many, few] = [await addNodes(NODES), await addNodes(NODES)];
  const loads = Promise.all([
    load(many, { ...PHASES.batches, seconds: 60 }),
    load(few, { ...PHASES.single, seconds: 60 }),
  ]);
  setTimeout(() => process.kill(app.pid, "SIGKILL"), KILL_AFTER_MS);
  const [batches, single] = await loads;
  app = await start();
  const lost = (await countMissing(many, batches)) + (await countMissing(few, single));
  console.log(`\nkilled after ${KILL_AFTER_MS / 1000} s, in the middle of both`);
  expect(
    `${count(batches.acknowledged + single.acknowledged)} beats were acknowledged before, ${lost} of them are lost`,
    lost === 0 && batches.acknowledged > 0 && single.acknowledged > 0,
  );
  await expectOneTruth();
}

/** Counts the acknowledged heartbeats that are missing in the database. */
async function countMissing(nodes: Node[], { filled }: LoadResult): Promise<number> {
  const { rows } = await pool.query<{ missing: string }>(
    `select count(*) as missing
    from unnest($1::uuid[], $2::integer[]) as node (user_id, filled)
    cross join lateral generate_series(0, node.filled - 1) as slot
    where (
      select count(*) from heartbeats join points_ledger using (user_id)
      where heartbeats.user_id = node.user_id and slot_at = to_timestamp($3::bigint - slot * $4::bigint)
        and source = 'heartbeat' and occurred_at = beat_at
    ) <> 1`,
    [nodes.map(({ userId }) => userId), filled, newest / 1000, INTERVAL_SECONDS],
  );
  return Number(rows[0]?.missing);
}

/** Expects that ledger, totals, days and heartbeats agree for everything sent in this run. */
async function expectOneTruth() {
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: "", log: createLog({ level: "silent" }) });
  const differences = await checkLedger(database.db);
  await database.close();
  const { rows } = await pool.query<{ beats: string; entries: string }>(
    `select (select count(*) from heartbeats) as beats, count(*) as entries from points_ledger where source = 'heartbeat'`,
  );
  const { beats, entries } = rows[0] ?? {};
  for (const difference of differences.slice(0, 5)) console.log(describeDifference(difference));
  expect(`${count(Number(beats))} beats, ${count(Number(entries))} ledger rows: one each`, beats === entries);
  expect("ledger = totals = daily, of every member", differences.length === 0);
}

type Bare = Awaited<ReturnType<typeof insertBare>>;

function describe(
  name: string,
  { batch, connections }: Phase,
  { acknowledged, latencies, seconds }: LoadResult,
  bare: Bare,
) {
  const rate = acknowledged / seconds;
  const at = (part: number) => percentile(latencies, part).toFixed(1);
  console.log(`\n${name}: ${batch} a request, ${connections} connections, ${seconds.toFixed(1)} s`);
  console.log(
    `  over HTTP                  ${count(rate).padStart(9)} a second   p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
  for (const [what, theirs] of [
    ["bare beats", bare.beats],
    ["bare beats and ledger rows", bare.both],
  ] as const) {
    console.log(`  ${what.padEnd(26)} ${count(theirs).padStart(9)} a second   ratio ${(rate / theirs).toFixed(2)}`);
  }
}

function count(value: number) {
  return Math.round(value).toLocaleString("de-DE");
}
