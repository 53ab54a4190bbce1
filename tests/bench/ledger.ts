import { Client } from "pg";
import { OPERATOR } from "../../server/administration/actor.ts";
import { openDatabase, type Db } from "../../server/db/client.ts";
import { listMonths } from "../../server/db/months.ts";
import { createLog } from "../../server/log/log.ts";
import { partitionTable } from "../../server/months/partition.ts";
import { LEDGER } from "../../server/points/ledger/monthly.ts";
import { watchLedger } from "../support/database/ledger-watch.ts";
import { startPostgres } from "../support/database/postgres.ts";
import { runOn } from "../support/database/test-database.ts";
import { makeHistory, memberId, type NetworkSize } from "./ledger-history.ts";
import { listReads, openReader, type Read, type Times } from "./ledger-reads.ts";
import { readNumber, readOptions } from "../support/command-options.ts";
import { median } from "../support/percentile.ts";

/*
 * How the size of the ledger affects a member's reads: those of header, chart and log on PostgreSQL with five million
 * entries, compared with the same reads on a hundredth of that. Measures members at random, and those with most
 * entries. The latter have a hundred times as many entries of their own: for them the ratio shows what that costs, and
 * has no limit. First with each ledger in one table; then, within the same limits, with both divided by month, as an
 * operator does it.
 */
readOptions(
  "npm run bench:ledger      reads of a ledger beside the same on a hundredth of it; with BENCH_SAMPLES, BENCH_MEMBERS another number",
  {},
);

const LIMIT_MS = 3;
const MOST_TIMES = 2;
const SAMPLES = readNumber("BENCH_SAMPLES", process.env.BENCH_SAMPLES ?? "300");
/** The members of the whole network. With fewer, all figures are smaller and less meaningful. */
const MEMBERS = readNumber("BENCH_MEMBERS", process.env.BENCH_MEMBERS ?? "100000");
const SIZES: Record<"whole" | "hundredth", NetworkSize> = {
  whole: {
    members: MEMBERS,
    heaviest: { members: 9, entries: MEMBERS },
    heavy: { members: MEMBERS / 1000, entries: MEMBERS / 10 },
  },
  hundredth: {
    members: MEMBERS / 100,
    heaviest: { members: 9, entries: MEMBERS / 100 },
    heavy: { members: MEMBERS / 10_000, entries: MEMBERS / 100 },
  },
};

const now = new Date();
const NAMES = ["whole", "hundredth"] as const;
const reads = listReads(now);
// Vacuumed once, after all rows are there. A vacuum regards a row as visible to all only once its commit has been
// flushed.
const vacuuming = ["autovacuum=off", "synchronous_commit=on"];
const settings = ["shared_buffers=1GB", "max_wal_size=8GB", "jit=off", ...vacuuming];
const postgres = await startPostgres({ settings });

try {
  for (const name of NAMES) await make(name);
  await measureAll("in one table");
  for (const name of NAMES) await partition(name);
  await measureAll("divided by month");
} finally {
  await postgres.stop();
}

type Name = (typeof NAMES)[number];
type Network = { reader: ReturnType<typeof openReader>; size: NetworkSize };
type Networks = Record<Name, Network>;
type Who = "at random" | "with most entries";

function urlOf(name: Name): string {
  const url = new URL(postgres.url);
  url.pathname = `ledger_${name}`;
  return url.href;
}

async function make(name: Name) {
  const start = performance.now();
  await runOn(postgres.url, `create database ledger_${name}`);
  await using(name, async ({ client }) => {
    const rows = await makeHistory(client, SIZES[name], now);
    await compareSums(name);
    const counts = [rows?.entries, rows?.beats, rows?.members].map((count) => count?.toLocaleString("de-DE"));
    console.log(
      `${name}: ${counts[0]} ledger rows, ${counts[1]} beats, ${counts[2]} members, made in ${secondsSince(start)} s`,
    );
  });
}

/** Partitions the ledger as `npm run ops -- database partition` does. */
async function partition(name: Name) {
  const start = performance.now();
  await using(name, async ({ client, db }) => {
    const act = { actor: OPERATOR, reason: "A bench" };
    const { copied } = await partitionTable({ db, now: () => now }, act, LEDGER);
    await client.query("vacuum analyze points_ledger");
    await compareSums(name);
    const parts = (await listMonths(db, LEDGER.name)).length;
    console.log(
      `${name}: ${copied.toLocaleString("de-DE")} rows in ${parts} months, divided in ${secondsSince(start)} s`,
    );
  });
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(0);
}

/** Opens a database, which also migrates it. */
async function using(name: Name, work: (opened: { client: Client; db: Db }) => Promise<void>) {
  const database = await openDatabase({ databaseUrl: urlOf(name), dataDir: "", log: createLog({ level: "silent" }) });
  const client = new Client(urlOf(name));
  await client.connect();
  try {
    await work({ client, db: database.db });
  } finally {
    await Promise.all([client.end(), database.close()]);
  }
}

async function compareSums(name: Name) {
  const watch = await watchLedger(urlOf(name));
  await watch.during(Promise.resolve());
  await watch.close();
  if (watch.unequal.length > 0) throw new Error(`${watch.unequal.length} members' sums are not right`);
}

function openNetwork(name: Name): Network {
  return { reader: openReader(urlOf(name), now), size: SIZES[name] };
}

async function measureAll(how: string) {
  const networks = { whole: openNetwork("whole"), hundredth: openNetwork("hundredth") };
  for (const who of ["at random", "with most entries"] as const) {
    console.log(`\n${how}, members ${who}: medians in ms, of less than ${LIMIT_MS}`);
    console.log(`${"".padEnd(28)} in the database              client's round trip`);
    console.log(`${"".padEnd(28)} whole  hundredth   ratio    whole  hundredth`);
    for (const [name, read] of Object.entries(reads)) {
      report(name, await measureBoth(networks, who, read), who === "at random" ? MOST_TIMES : Infinity);
    }
  }
  for (const [name, read] of Object.entries(reads)) {
    console.log(`\n${how}: ${name}, of a member with most entries`);
    console.log(await networks.whole.reader.explain(read, memberId(1)));
  }
  for (const name of NAMES) await networks[name].reader.close();
}

/** Measures the two networks in turn, so that other work on the machine affects both. */
async function measureBoth(networks: Networks, who: Who, read: Read) {
  const times: Record<Name, Times[]> = { whole: [], hundredth: [] };
  const members = { whole: choose(networks.whole.size, who), hundredth: choose(networks.hundredth.size, who) };
  for (const isWarmUp of [true, false]) {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      for (const name of NAMES) {
        const measured = await networks[name].reader.measure(read, members[name][sample] ?? "");
        if (!isWarmUp) times[name].push(measured);
      }
    }
  }
  return { whole: medians(times.whole), hundredth: medians(times.hundredth) };
}

/** Chooses the same members in every run. Members at random are any except those with most entries. */
function choose({ heaviest, members }: NetworkSize, who: Who): string[] {
  return Array.from({ length: SAMPLES }, (_, sample) => {
    if (who === "with most entries") return memberId(1 + (sample % heaviest.members));
    return memberId(1 + heaviest.members + ((sample * 7_919_317) % (members - heaviest.members)));
  });
}

function medians(times: Times[]): Times {
  return {
    inDatabase: median(times.map(({ inDatabase }) => inDatabase)),
    roundTrip: median(times.map(({ roundTrip }) => roundTrip)),
  };
}

function ms(value: number) {
  return value.toFixed(3);
}

function report(name: string, { hundredth, whole }: Record<Name, Times>, mostTimes: number) {
  const ratio = whole.inDatabase / hundredth.inDatabase;
  const isGood = whole.inDatabase < LIMIT_MS && ratio <= mostTimes;
  console.log(
    `${name.padEnd(28)} ${ms(whole.inDatabase)}      ${ms(hundredth.inDatabase)}    ${ratio.toFixed(2)}` +
      `    ${ms(whole.roundTrip)}      ${ms(hundredth.roundTrip)}${isGood ? "" : "  TOO SLOW"}`,
  );
  if (!isGood) process.exitCode = 1;
}
