import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { SeededMember } from "../support/app-messages.ts";
import { runOn } from "../support/database/test-database.ts";
import { startPostgres } from "../support/database/postgres.ts";
import { startApp, type RunningApp } from "../support/servers/start-app.ts";
import { readNumber, readOptions } from "../support/command-options.ts";
import { percentile } from "../support/percentile.ts";
import { cpuMicroseconds } from "./cpu-time.ts";

/*
 * What it costs one process to keep the open pages of a thousand members up to date: with an open stream each, and for
 * comparison with a read of the stats every five seconds each. Two nodes per second send heartbeats meanwhile. Also
 * prints the time from the response to a heartbeat until its member's stream reports it.
 */
readOptions(
  "npm run bench:live      a thousand open streams beside a thousand members who ask; with BENCH_SECONDS another number",
  {},
);

const MEMBERS = 1000;
const SECONDS = readNumber("BENCH_SECONDS", process.env.BENCH_SECONDS ?? "30");
const POLL_EVERY = 5;
const BEATS_PER_SECOND = 2;
const AT_ONCE = 20;

const agent = new Agent({ keepAlive: true, maxSockets: MEMBERS * 2 });
const postgres = await startPostgres();
const app = await startApp({
  databaseUrl: postgres.url,
  settings: { LOG_LEVEL: "trace", TRUSTED_PROXIES: "127.0.0.1" },
});

try {
  const members = await inParts(Array.from({ length: MEMBERS }), () => app.seed.member({}));
  await inParts(members, readStats);
  // The database's own maintenance would do this within a minute: with so many new members, other plans are better.
  await runOn(postgres.url, "analyze");
  const idle = await measure("nobody connected", () => wait(SECONDS * 1000));
  await measure(`${MEMBERS} members, a read every ${POLL_EVERY} s`, () => poll(members));

  const heard = new Map<string, () => void>();
  const before = app.log().length;
  const streams = await inParts(members, (member) => listen(member, () => heard.get(member.userId)?.()));
  const delays: number[] = [];
  const live = await measure(`${MEMBERS} members, a stream each`, () => beatAndHear(members, heard, delays));
  const looks = Array.from(
    app
      .log()
      .slice(before)
      .matchAll(/"streams":1000,"ms":([\d.]+)/g),
    ([, ms]) => Number(ms),
  );
  console.log(`memory per stream      ${(((live.rss - idle.rss) * 1000) / MEMBERS).toFixed(1).padStart(8)} kB`);
  describe("a look at all streams", looks);
  describe("from beat to event", delays);
  for (const stream of streams) stream.destroy();
} finally {
  agent.destroy();
  await app.close();
  await postgres.stop();
}

async function inParts<T, R>(list: T[], act: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < list.length; from += AT_ONCE) {
    results.push(...(await Promise.all(list.slice(from, from + AT_ONCE).map(act))));
  }
  return results;
}

async function open(member: SeededMember, path: string): Promise<IncomingMessage> {
  const headers = { cookie: `${member.cookie.name}=${member.cookie.value}` };
  const sent = request(app.url + path, { agent, headers }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  return response;
}

async function readStats(member: SeededMember): Promise<void> {
  const response = await open(member, "/read/stats");
  response.resume();
  await once(response, "end");
}

/** Reads at even intervals, as the pages of many members do. */
async function poll(members: SeededMember[]) {
  const start = performance.now();
  const reads: Promise<void>[] = [];
  for (let index = 0; index < (MEMBERS / POLL_EVERY) * SECONDS; index++) {
    const early = start + (index * POLL_EVERY * 1000) / MEMBERS - performance.now();
    if (early > 0) await wait(early);
    const member = members[index % MEMBERS];
    if (member) reads.push(readStats(member));
  }
  await Promise.all(reads);
}

/** Opens a stream, and resolves with its first event. Every later event calls back. */
async function listen(member: SeededMember, onEvent: () => void): Promise<IncomingMessage> {
  const response = await open(member, "/live");
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  response.setEncoding("utf8").on("data", (text: string) => {
    if (!text.includes("data: ")) return;
    resolve(response);
    onEvent();
  });
  // The bench itself ends the streams.
  response.on("error", () => {});
  return promise;
}

async function beatAndHear(members: SeededMember[], heard: Map<string, () => void>, delays: number[]) {
  const start = performance.now();
  for (let index = 0; index < SECONDS * BEATS_PER_SECOND; index++) {
    await wait(Math.max(0, start + (index * 1000) / BEATS_PER_SECOND - performance.now()));
    const member = members[(index * 7) % MEMBERS];
    if (!member) continue;
    await app.seed.beat(member.userId, [new Date().toISOString()]);
    const counted = performance.now();
    heard.set(member.userId, () => void delays.push(performance.now() - counted));
  }
}

async function measure(name: string, act: () => Promise<unknown>) {
  const before = await cpuMicroseconds(app.pid);
  const start = performance.now();
  await act();
  const milliseconds = performance.now() - start;
  const share = ((await cpuMicroseconds(app.pid)) - before) / milliseconds / 10;
  const rss = residentMegabytes(app);
  console.log(
    `${name.padEnd(36)} ${share.toFixed(1).padStart(6)} % of a processor  ${rss.toFixed(0).padStart(5)} MB resident`,
  );
  return { rss };
}

function residentMegabytes({ pid }: RunningApp): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
}

function describe(name: string, values: number[]) {
  const at = (part: number) => percentile(values, part).toFixed(1).padStart(8);
  console.log(`${name.padEnd(22)} p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  of ${values.length}`);
}
