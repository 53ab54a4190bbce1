import { once } from "node:events";
import { Agent, request } from "node:http";
import { Worker } from "node:worker_threads";
import type { SeededMember } from "../support/app-messages.ts";
import { startPostgres } from "../support/database/postgres.ts";
import { percentile } from "../support/percentile.ts";
import { startApp } from "../support/servers/start-app.ts";
import { ATTACKS, type Attacker } from "./fairness-attacks.ts";
import type { AttackerRequest } from "./fairness-attacker.ts";
import { readNumber, readOptions, refuse } from "../support/command-options.ts";

/*
 * How much one client slows down another: a member's stats and dashboard, alone and while one client makes the same
 * expensive call again and again. Rounds with and without it alternate, so that other work on the machine affects both.
 * Uses the embedded database, which has one connection; BENCH_DATABASE=postgres uses the other. Arguments name the
 * attacks to run.
 */
const USAGE = `How much one client slows another; with BENCH_ROUNDS another number, with BENCH_DATABASE=postgres beside PostgreSQL.

  npm run bench:fairness                each of what costs much
  npm run bench:fairness -- <name> …    these of ${Object.keys(ATTACKS).join(", ")}`;

const { positionals: chosen } = readOptions(USAGE, { allowPositionals: true });
const unknown = chosen.find((name) => !Object.hasOwn(ATTACKS, name));
if (unknown !== undefined) refuse(`There is no ${unknown}, but ${Object.keys(ATTACKS).join(", ")}.`);
const ROUNDS = readNumber("BENCH_ROUNDS", process.env.BENCH_ROUNDS ?? "5");
const STATS_A_ROUND = 20;
const PAGES_A_ROUND = 6;
const MOST_TIMES_IDLE = 2;
/** How long to wait for one response, and how long one round may take, in milliseconds. */
const RESPONSE_LIMIT_MS = 20_000;
const ROUND_LIMIT = 20_000;

type Times = { stats: number[]; pages: number[] };

const agent = new Agent({ keepAlive: true, maxSockets: 2 });
const postgres = process.env.BENCH_DATABASE === "postgres" ? await startPostgres() : undefined;
const app = await startApp({
  isMeasured: true,
  ...(postgres && { databaseUrl: postgres.url }),
  settings: { TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "fatal" },
});

try {
  const [member, mallory] = [await app.seed.member({ heartbeats: 200 }), await app.seed.member({ heartbeats: 2000 })];
  await measure(member);
  for (const name of Object.keys(ATTACKS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    report(name, await compare(name, member, mallory));
  }
} finally {
  agent.destroy();
  await app.close();
  await postgres?.stop();
}

async function compare(name: string, member: SeededMember, { cookie, email, token }: SeededMember) {
  const attacker: Attacker = { url: app.url, token, email, cookie: `${cookie.name}=${cookie.value}` };
  const worker = new Worker(new URL("./fairness-attacker.ts", import.meta.url), { workerData: attacker });
  const send = async (message: AttackerRequest) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's postMessage takes no origin, only a window's does
    worker.postMessage(message);
    await once(worker, "message");
  };
  const idle: Times = { stats: [], pages: [] };
  const beside: Times = { stats: [], pages: [] };
  for (let round = 0; round < ROUNDS; round++) {
    add(idle, await measure(member));
    await send({ begin: name });
    add(beside, await measure(member));
    await send({ end: true });
  }
  await worker.terminate();
  return { idle, beside };
}

async function measure({ cookie, token }: SeededMember): Promise<Times> {
  const times: Times = { stats: [], pages: [] };
  const end = performance.now() + ROUND_LIMIT;
  for (let index = 0; index < STATS_A_ROUND && performance.now() < end; index++) {
    times.stats.push(await time("/api/users/stats", { authorization: `Bearer ${token}` }));
    if (index % Math.ceil(STATS_A_ROUND / PAGES_A_ROUND) > 0) continue;
    times.pages.push(await time("/dashboard", { cookie: `${cookie.name}=${cookie.value}`, accept: "text/html" }));
  }
  return times;
}

/** Returns the milliseconds from a request to the last byte of its response; without a response, how long it waited. */
async function time(path: string, headers: Record<string, string>): Promise<number> {
  const start = performance.now();
  const signal = AbortSignal.timeout(RESPONSE_LIMIT_MS);
  try {
    const sent = request(app.url + path, { agent, signal, headers: { ...headers, "x-forwarded-for": "10.1.1.1" } });
    const [response] = await once(sent.end(), "response");
    response.resume();
    await once(response, "end");
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return performance.now() - start;
}

function add(all: Times, { pages, stats }: Times) {
  all.stats.push(...stats);
  all.pages.push(...pages);
}

function report(name: string, { beside, idle }: { idle: Times; beside: Times }) {
  const parts = (["stats", "pages"] as const).map((kind) => {
    const ratio = percentile(beside[kind], 0.5) / percentile(idle[kind], 0.5);
    if (ratio > MOST_TIMES_IDLE) process.exitCode = 1;
    const at = (times: Times) => [0.5, 0.95].map((part) => percentile(times[kind], part).toFixed(1)).join("/");
    const label = kind === "stats" ? "stats" : "/dashboard";
    return `${label} ${at(idle).padStart(11)} → ${at(beside).padStart(13)} ms ${ratio.toFixed(2).padStart(6)} ×${ratio > MOST_TIMES_IDLE ? " TOO SLOW" : ""}`;
  });
  console.log(`${name.padEnd(26)} p50/p95  ${parts.join("   ")}`);
}
