import { globSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { installPackages } from "../install/apt.mjs";
import { PUBLIC_URL, startInstallation, type Installation } from "./installation.ts";
import { INTERVAL_SECONDS } from "./mix.ts";
import { createNetwork, type TrafficMember } from "./network.ts";
import { hasHaproxy, hasNginx, PROXIES, startProxyOf, type ProxyName } from "./proxies.ts";
import { percentile } from "../support/percentile.ts";
import { startTraffic, type TrafficResult } from "./traffic.ts";
import { checkWrites } from "./writes.ts";
import { readNumber, readOptions, refuse } from "../support/command-options.ts";
import { expect } from "../bench/expect.ts";

/*
 * Restarts an installation, one process after the other and again and again, under traffic and behind proxies as
 * shipped. No request may fail, no event stream break, and no write be lost or done twice. Needs a build.
 */

const USAGE = `Restarts an installation again and again, under traffic and behind proxies (after a build).

  npm run rolling                                  ten rounds behind each of ${PROXIES.join(", ")}
  npm run rolling -- --rounds 2 --proxy nginx      two rounds, behind one of them
  npm run rolling -- --rate 10 --grace 5           10 requests a second, and 5 seconds of grace`;

const { values: given } = readOptions(USAGE, {
  options: {
    rounds: { type: "string", default: "10" },
    rate: { type: "string", default: "50" },
    proxy: { type: "string", default: PROXIES.join() },
    grace: { type: "string" },
  },
});
/** A prime, so that no member always gets the same kind of request. */
const MEMBERS = 199;
const STREAMS = 20;
/** The current slot at the start. With a newer one for each proxy, the proxies before would already have filled it. */
const NEWEST = Math.floor(Date.now() / (INTERVAL_SECONDS * 1000)) * INTERVAL_SECONDS * 1000;

const rounds = readNumber("--rounds", given.rounds);
const rate = readNumber("--rate", given.rate);
const settings: Record<string, string> =
  given.grace === undefined ? {} : { SHUTDOWN_GRACE_SECONDS: `${readNumber("--grace", given.grace, 0)}` };
const proxies = given.proxy.split(",").map((name) => PROXIES.find((known) => known === name) ?? refuseProxy(name));
if (!hasNginx || !hasHaproxy) installPackages("nginx", "haproxy");

let members: TrafficMember[] = [];
const installation = await startInstallation({ roles: ["web", "web", "worker"], settings }, async (databaseUrl) => {
  members = await createNetwork(databaseUrl, PUBLIC_URL, MEMBERS);
});
try {
  let from = 0;
  for (const proxy of proxies) from += await roll(proxy, installation, from);
} finally {
  await installation.close();
}

/** Runs all rounds behind one proxy. Returns how far into the mix it came. */
async function roll(name: ProxyName, { databaseUrl, processes }: Installation, from: number): Promise<number> {
  const ports = processes.flatMap(({ role, port }) => (role === "web" ? [port] : []));
  const proxy = await startProxyOf(name, ports);
  const [asset = ""] = globSync("build/client/assets/*.css");
  const traffic = startTraffic({
    urls: [proxy.url],
    ca: proxy.ca,
    rate,
    streams: STREAMS,
    from,
    mix: {
      members,
      file: asset.slice("build/client".length),
      newest: NEWEST,
      run: name,
    },
  });
  const codes: (number | null)[] = [];
  try {
    await wait(2_000);
    for (let round = 1; round <= rounds; round++) {
      for (const each of processes) codes.push(await each.restart());
      console.log(`  ${name}: round ${round} of ${rounds}`);
    }
    await wait(2_000);
  } finally {
    const result = await traffic.stop();
    await report(name, result, codes, databaseUrl);
    if (result.errors > 0) console.log(proxy.output().split("\n").slice(0, 20).join("\n"));
    await proxy.stop();
  }
  const { sent, notSent } = await traffic.result;
  return sent + notSent;
}

async function report(name: string, result: TrafficResult, codes: (number | null)[], databaseUrl: string) {
  const { errors, firstErrors, latencies, seconds, sent, shed, streams } = result;
  const { acknowledged, doubled, lost } = await checkWrites(databaseUrl, members, result);
  const [half, most] = [0.5, 0.99].map((part) => percentile(latencies, part).toFixed(0));
  console.log(`\n${name}: ${sent} requests in ${seconds.toFixed(0)} s, p50 ${half} ms, p99 ${most} ms`);
  expect(
    `${codes.length} restarts, all ended with 0`,
    codes.every((code) => code === 0),
  );
  expect(`${errors + shed} errors`, errors + shed === 0);
  for (const line of firstErrors) console.log(`     ${line}`);
  expect(
    `${acknowledged} writes acknowledged, ${lost} lost, ${doubled} done twice`,
    lost + doubled === 0 && acknowledged > 0,
  );
  const { broken, ended, events, opened, reasons } = streams;
  expect(
    `${opened} streams of events with ${events} events: ${ended} ended, ${broken} broken`,
    broken === 0 && ended > 0 && events > 0,
  );
  for (const reason of new Set(reasons)) console.log(`     ${reason}`);
}

function refuseProxy(name: string): never {
  return refuse(`There is no proxy ${name}, but ${PROXIES.join(", ")}.`);
}
