import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { SeededMember } from "../support/app-messages.ts";
import { startApp } from "../support/servers/start-app.ts";
import { startPostgres } from "../support/database/postgres.ts";
import { readNumber, readOptions } from "../support/command-options.ts";
import { percentile } from "../support/percentile.ts";
import { expect } from "./expect.ts";

/*
 * How much sign-ins slow down members who are signed in: /dashboard at a steady rate, first alone, then along with a
 * hundred sign-ins per second. Both rates are kept however long responses take (an open loop), in a separate process.
 * Then far more sign-ins at once than can be hashed soon: the excess is refused at once, with the time to come back.
 */
readOptions(
  "npm run bench:sign-ins      /dashboard beside a hundred sign-ins a second, and alone; with BENCH_SECONDS another number",
  {},
);

const DASHBOARDS_PER_SECOND = 50;
const IDLE_SECONDS = 15;
const SIGN_INS_PER_SECOND = 100;
const LOAD_SECONDS = readNumber("BENCH_SECONDS", process.env.BENCH_SECONDS ?? "30");
const BURST = 500;
const MEMBERS = 100;
const MOST_TIMES_IDLE = 2;

type Answer = { status: number; milliseconds: number; retryAfter: string | undefined; body: string };
type Member = { email: string; password: string };

const agents = { pages: createAgent(), signIns: createAgent() };
const postgres = await startPostgres();
const app = await startApp({
  databaseUrl: postgres.url,
  settings: { TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "warn" },
});
let clients = 0;

try {
  const members: SeededMember[] = [];
  for (let index = 0; index < MEMBERS; index++) members.push(await app.seed.member({}));
  const [reader] = members;
  if (!reader) throw new Error("There are no members");
  const cookie = `${reader.cookie.name}=${reader.cookie.value}`;
  const openDashboard = () => send("/dashboard", { agent: agents.pages, headers: { cookie, accept: "text/html" } });
  const tokens = await issueTokens(MEMBERS + SIGN_INS_PER_SECOND * LOAD_SECONDS + BURST);
  for (let index = 0; index < MEMBERS; index++) await signIn(members, tokens, index);

  await atRate(DASHBOARDS_PER_SECOND, 3, openDashboard);
  const idle = await atRate(DASHBOARDS_PER_SECOND, IDLE_SECONDS, openDashboard);
  const [loaded, signIns] = await Promise.all([
    atRate(DASHBOARDS_PER_SECOND, LOAD_SECONDS, openDashboard),
    atRate(SIGN_INS_PER_SECOND, LOAD_SECONDS, (index) => signIn(members, tokens, index)),
  ]);
  const burst = await Promise.all(Array.from({ length: BURST }, (_, index) => signIn(members, tokens, index)));
  report({ idle, loaded, signIns, burst });
} finally {
  for (const agent of Object.values(agents)) agent.destroy();
  await app.close();
  await postgres.stop();
}

function createAgent() {
  return new Agent({ keepAlive: true, maxSockets: 1000 });
}

/** Returns tokens of the bot check. The first is old enough when the last has arrived. */
async function issueTokens(count: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send("/api/auth/bot-check", { agent: agents.signIns })),
    );
    for (const { body } of answers) tokens.push((JSON.parse(body) as { turnstileToken: string }).turnstileToken);
  }
  return tokens;
}

/** Starts this many calls per second, evenly, whether or not earlier ones have been answered. */
async function atRate(perSecond: number, seconds: number, call: (index: number) => Promise<Answer>) {
  const start = performance.now();
  const answers: Promise<Answer>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const early = start + (index * 1000) / perSecond - performance.now();
    if (early > 0) await wait(early);
    answers.push(call(index));
  }
  return Promise.all(answers);
}

function signIn(members: Member[], tokens: string[], index: number) {
  const { email, password } = members[index % members.length] ?? { email: "", password: "" };
  const body = JSON.stringify({ email, password, turnstileToken: tokens.shift() });
  // A browser that the member has used before, as in most sign-ins.
  const device = String(index % members.length).padStart(43, "0");
  const headers = { "content-type": "application/json", "x-device-token": device };
  return send("/api/login", { agent: agents.signIns, headers, body });
}

type Sent = { agent: Agent; headers?: Record<string, string>; body?: string };

async function send(path: string, { agent, headers, body }: Sent): Promise<Answer> {
  clients += 1;
  const start = performance.now();
  const sent = request(app.url + path, {
    agent,
    method: body ? "POST" : "GET",
    headers: { "x-forwarded-for": `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`, ...headers },
  });
  sent.end(body);
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode,
    milliseconds: performance.now() - start,
    retryAfter: response.headers["retry-after"],
    body: Buffer.concat(chunks).toString(),
  };
}

type Measured = Record<"idle" | "loaded" | "signIns" | "burst", Answer[]>;

function report({ idle, loaded, signIns, burst }: Measured) {
  describe("/dashboard alone", idle);
  describe(`/dashboard beside ${SIGN_INS_PER_SECOND} sign-ins/s`, loaded);
  describe("sign-ins", signIns);
  describe(`${BURST} sign-ins at once`, burst);
  const ratio = percentile(timesOf(loaded), 0.99) / percentile(timesOf(idle), 0.99);
  expect(`p99 of /dashboard ${ratio.toFixed(2)} times idle, of less than ${MOST_TIMES_IDLE}`, ratio < MOST_TIMES_IDLE);
  expect(
    "every page is shown",
    [...idle, ...loaded].every(({ status }) => status === 200),
  );
  const all = [...signIns, ...burst];
  expect(
    "every sign-in is answered by 200 or 503",
    all.every(({ status }) => status === 200 || status === 503),
  );
  expect(
    "every 503 says when to come back",
    all.every(({ status, retryAfter }) => status !== 503 || Number(retryAfter) > 0),
  );
  expect(
    "beyond the cap there are 503s",
    burst.some(({ status }) => status === 503),
  );
}

function describe(name: string, answers: Answer[]) {
  const counts = Map.groupBy(answers, ({ status }) => status);
  const statuses = Array.from(counts, ([status, { length }]) => `${length} × ${status}`).join(", ");
  const [p50, p99] = [0.5, 0.99].map((part) => percentile(timesOf(answers), part).toFixed(1).padStart(7));
  console.log(`${name.padEnd(34)} p50 ${p50} ms  p99 ${p99} ms  ${statuses}`);
}

const timesOf = (answers: Answer[]) => answers.map(({ milliseconds }) => milliseconds);
