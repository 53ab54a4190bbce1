import { globSync } from "node:fs";
import { PUBLIC_URL, startInstallation } from "../deployment/installation.ts";
import { INTERVAL_SECONDS, type MixOptions } from "../deployment/mix.ts";
import { createNetwork } from "../deployment/network.ts";
import { percentile } from "../support/percentile.ts";
import { startTraffic, type TrafficResult } from "../deployment/traffic.ts";
import { checkWrites } from "../deployment/writes.ts";
import { readNumber, readOptions } from "../support/command-options.ts";
import { expect } from "./expect.ts";

/*
 * What two web processes and one worker can handle, with PostgreSQL and the clients on the same machine: a realistic
 * mix at a steady rate, then several times as much as they can take in addition, then the steady rate again. Needs a
 * build.
 */

const USAGE = `What two web processes and one worker carry (after a build).

  npm run bench:load                                              500 requests a second, seven minutes in all
  npm run bench:load -- --rate 200 --seconds 60 --members 199     another rate, for so long, of so many members
  npm run bench:load -- --overload 2000 --overload-seconds 5      another rate that is too much`;

const { values: given } = readOptions(USAGE, {
  options: {
    rate: { type: "string", default: "500" },
    seconds: { type: "string", default: "300" },
    overload: { type: "string", default: "4000" },
    "overload-seconds": { type: "string", default: "15" },
    members: { type: "string", default: "499" },
  },
});
const LIMITS = { p99: 50, recovery: 2_000 };
const STREAMS = 100;
/** How long until the processes on both sides have compiled their hot code. */
const WARM_UP_SECONDS = 15;
const RECOVERY_SECONDS = 10;

const rate = readNumber("--rate", given.rate);
const seconds = readNumber("--seconds", given.seconds);
const overload = readNumber("--overload", given.overload);
const overloadSeconds = readNumber("--overload-seconds", given["overload-seconds"]);
const members = readNumber("--members", given.members);
const [asset = ""] = globSync("build/client/assets/*.css");
const interval = INTERVAL_SECONDS * 1000;
const mix: MixOptions = {
  members: [],
  file: asset.slice("build/client".length),
  newest: Math.floor(Date.now() / interval) * interval,
  run: "load",
};

/** How far into the mix the previous phases came. */
let sentBefore = 0;

const installation = await startInstallation(
  { roles: ["web", "web", "worker"], postgres: { isDurable: true } },
  async (databaseUrl) => {
    mix.members = await createNetwork(databaseUrl, PUBLIC_URL, members);
  },
);
try {
  await keepRate();
  await overloadAndRecover();
} finally {
  await installation.close();
}

function send(phase: { rate: number; seconds: number; uncounted?: number }) {
  const urls = installation.processes.flatMap(({ role, port }) => (role === "web" ? [`http://127.0.0.1:${port}`] : []));
  const from = sentBefore;
  // Slightly more than it will send, because it may run late.
  sentBefore = from + Math.ceil(phase.rate * phase.seconds) + 1;
  return startTraffic({ urls, streams: STREAMS, from, mix, ...phase });
}

async function keepRate() {
  const result = await send({ rate, seconds: WARM_UP_SECONDS + seconds, uncounted: WARM_UP_SECONDS }).result;
  describe(`${rate} requests a second`, result);
  const p99 = percentile(result.latencies, 0.99);
  expect(`${result.errors} errors, ${result.shed} shed`, result.errors + result.shed + result.notSent === 0);
  expect(`p99 ${p99.toFixed(1)} ms, of at most ${LIMITS.p99}`, p99 <= LIMITS.p99);
  await expectWrites(result);
}

async function overloadAndRecover() {
  const flood = send({ rate: overload, seconds: overloadSeconds });
  const members = send({ rate, seconds: overloadSeconds + RECOVERY_SECONDS, uncounted: overloadSeconds });
  const [during, recovering] = await Promise.all([flood.result, members.result]);
  describe(`${overload} requests a second`, during);
  expect(
    `${during.shed} shed, each told when to come back, ${during.errors} errors`,
    during.shed > 0 && during.errors === 0,
  );
  await expectWrites(during);
  const end = during.startedAt + overloadSeconds * 1000;
  const last = Math.max(end, ...recovering.troubledAt.map((at) => recovering.startedAt + at));
  describe(`${rate} requests a second again`, recovering);
  expect(`recovered after ${Math.round(last - end)} ms, of at most ${LIMITS.recovery}`, last - end <= LIMITS.recovery);
}

async function expectWrites(result: TrafficResult) {
  const { acknowledged, doubled, lost } = await checkWrites(installation.databaseUrl, mix.members, result);
  expect(`${acknowledged} writes acknowledged, ${lost} lost, ${doubled} done twice`, lost + doubled === 0);
}

function describe(
  name: string,
  { firstErrors, latencies, notSent, seconds: took, sent, shed, statuses }: TrafficResult,
) {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(latencies, part).toFixed(1));
  console.log(`\n${name}: ${sent} in ${took.toFixed(1)} s, ${(sent / took).toFixed(0)} a second, ${notSent} not sent`);
  console.log(`  p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms; ${shed} shed; ${JSON.stringify(statuses)}`);
  for (const line of firstErrors.slice(0, 5)) console.log(`  ${line}`);
}
