import { Client } from "pg";
import { OPERATOR } from "../../server/administration/actor.ts";
import { openDatabase } from "../../server/db/client.ts";
import { createLog } from "../../server/log/log.ts";
import { divideTable } from "../../server/months/divide.ts";
import { LEDGER } from "../../server/points/ledger/monthly.ts";
import { watchLedger } from "../support/ledger-watch.ts";
import { startPostgres } from "../support/postgres.ts";
import { runOn } from "../support/test-database.ts";
import { makeHistory, memberId, type NetworkSize } from "./ledger-history.ts";
import { listReads, openReader, type Read, type Times } from "./ledger-reads.ts";

/*
 * What the size of the ledger costs a member who looks at it: the reads of header, chart and log on PostgreSQL with five
 * million entries, beside the same reads on a hundredth of that, for members at random and for those with most entries.
 * The latter have a hundred times as many entries of their own: for them the ratio says what that costs, without a limit.
 * BENCH_DIVIDED=1 divides both ledgers by month first.
 */
const LIMIT_MS = 3;
const MOST_TIMES = 2;
const SAMPLES = Number(process.env.BENCH_SAMPLES ?? 300);
const SIZES: Record<"whole" | "hundredth", NetworkSize> = {
  whole: {
    members: 100_000,
    heaviest: { members: 9, entries: 100_000 },
    heavy: { members: 100, entries: 10_000 },
  },
  hundredth: {
    members: 1000,
    heaviest: { members: 9, entries: 1000 },
    heavy: { members: 10, entries: 1000 },
  },
};

const now = new Date();
const open: (() => Promise<void>)[] = [];
const reads = listReads(now);
// Vacuumed once, when all is there; and what is not in the log's file yet, a vacuum does not hold for visible to all.
const vacuuming = ["autovacuum=off", "synchronous_commit=on"];
const settings = ["shared_buffers=1GB", "max_wal_size=8GB", "jit=off", ...vacuuming];
const postgres = await startPostgres({ settings });

try {
  const hundredth = await prepare("hundredth");
  const whole = await prepare("whole");
  for (const who of ["at random", "with most entries"] as const) {
    console.log(`\nmembers ${who}: medians in ms, of less than ${LIMIT_MS}`);
    console.log(`${"".padEnd(28)} in the database              client's round trip`);
    console.log(`${"".padEnd(28)} whole  hundredth   ratio    whole  hundredth`);
    for (const [name, read] of Object.entries(reads)) {
      report(name, await measureBoth({ whole, hundredth }, who, read), who === "at random" ? MOST_TIMES : Infinity);
    }
  }
  for (const [name, read] of Object.entries(reads)) {
    console.log(`\n${name}, of a member with most entries\n${await whole.reader.explain(read, memberId(1))}`);
  }
} finally {
  for (const close of open.splice(0)) await close();
  await postgres.stop();
}

type Network = { reader: ReturnType<typeof openReader>; size: NetworkSize };
type Who = "at random" | "with most entries";

async function prepare(name: keyof typeof SIZES): Promise<Network> {
  const size = SIZES[name];
  const url = new URL(postgres.url);
  url.pathname = `ledger_${name}`;
  await runOn(postgres.url, `create database ledger_${name}`);
  const database = await openDatabase({ databaseUrl: url.href, dataDir: "", log: createLog({ level: "silent" }) });

  const start = performance.now();
  const client = new Client(url.href);
  await client.connect();
  const rows = await makeHistory(client, size, now);
  if (process.env.BENCH_DIVIDED) {
    await divideTable({ db: database.db, now: () => now }, { actor: OPERATOR, reason: "A bench" }, LEDGER);
    await client.query("vacuum analyze points_ledger");
  }
  await client.end();
  await database.close();
  const watch = await watchLedger(url.href);
  await watch.during(Promise.resolve());
  await watch.close();
  if (watch.unequal.length > 0) throw new Error(`${watch.unequal.length} members' sums are not right`);
  const counts = [rows?.entries, rows?.beats, rows?.members].map((count) => count?.toLocaleString("de-DE"));
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${name}: ${counts[0]} ledger rows, ${counts[1]} beats, ${counts[2]} members, made in ${seconds} s`);
  const reader = openReader(url.href, now);
  open.push(reader.close);
  return { reader, size };
}

/** The two networks in turns, so that what else the machine does is the same for both. */
async function measureBoth(networks: Record<"whole" | "hundredth", Network>, who: Who, read: Read) {
  const times: Record<keyof typeof networks, Times[]> = { whole: [], hundredth: [] };
  const names = ["whole", "hundredth"] as const;
  const members = { whole: choose(networks.whole.size, who), hundredth: choose(networks.hundredth.size, who) };
  for (const isWarmUp of [true, false]) {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      for (const name of names) {
        const measured = await networks[name].reader.measure(read, members[name][sample] ?? "");
        if (!isWarmUp) times[name].push(measured);
      }
    }
  }
  return { whole: medians(times.whole), hundredth: medians(times.hundredth) };
}

/** The same in every run. Members at random are any but those with most entries. */
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

function median(values: number[]) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function ms(value: number) {
  return value.toFixed(3);
}

function report(name: string, { hundredth, whole }: Record<"whole" | "hundredth", Times>, mostTimes: number) {
  const ratio = whole.inDatabase / hundredth.inDatabase;
  const isGood = whole.inDatabase < LIMIT_MS && ratio <= mostTimes;
  console.log(
    `${name.padEnd(28)} ${ms(whole.inDatabase)}      ${ms(hundredth.inDatabase)}    ${ratio.toFixed(2)}` +
      `    ${ms(whole.roundTrip)}      ${ms(hundredth.roundTrip)}${isGood ? "" : "  TOO SLOW"}`,
  );
  if (!isGood) process.exitCode = 1;
}
