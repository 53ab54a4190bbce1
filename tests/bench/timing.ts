import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { json } from "node:stream/consumers";
import { TEST_PASSWORD } from "../support/api/api.ts";
import { startPostgres } from "../support/database/postgres.ts";
import { mannWhitney } from "./mann-whitney.ts";
import type { TimingServerOptions, TimingServerRequest } from "./timing-server.ts";
import { readNumber, readOptions } from "../support/command-options.ts";
import { median } from "../support/percentile.ts";

/*
 * Whether response times reveal that an address has an account. Known and unknown addresses are tested in pairs, in
 * random order, each address once per endpoint and each request from another client. The two samples are then compared.
 * Then does the same with a build that leaks on purpose: a method that does not find those leaks would prove nothing.
 */
readOptions(
  "npm run bench:timing      whether the time of an answer tells a known address; with BENCH_PAIRS another number",
  {},
);

const PAIRS = readNumber("BENCH_PAIRS", process.env.BENCH_PAIRS ?? "1000");
const WARM_UP = 100;
const LIMIT = 3.3;

type Kind = "known" | "unknown";
type Pair = Record<Kind, string>;
type Call = { path: string; body: object };

/** Builds the call for an address. `token` is a bot check's; for a resend, it is that of the earlier request. */
const PROBES: Record<string, (email: string, token: string) => Call> = {
  login: (email, turnstileToken) => ({
    path: "/api/login",
    body: { email, password: "not the password", turnstileToken },
  }),
  "sign-up": (email, turnstileToken) => ({
    path: "/api/auth/signup",
    body: { email, password: TEST_PASSWORD, turnstileToken },
  }),
  "check-user": (email) => ({ path: "/api/auth/check-user", body: { email } }),
  forgot: (email, turnstileToken) => ({ path: "/api/auth/forgot-password", body: { email, turnstileToken } }),
  resend: (_, token) => ({ path: "/api/auth/resend-password-reset", body: { token } }),
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const postgres = await startPostgres();
let clients = 0;
try {
  for (const leaky of [false, true]) await measureAll({ databaseUrl: postgres.url, leaky });
} finally {
  agent.destroy();
  await postgres.stop();
}

async function measureAll(options: TimingServerOptions) {
  const server = await startServer(options);
  const build = options.leaky ? "leaky" : "ours";
  const indexes = Array.from({ length: PAIRS + WARM_UP }, (_, index) => String(index).padStart(5, "0"));
  const addresses = (kind: string) => indexes.map((index) => `${index}-${kind}-${build}@nodebeat.test`);
  const known = addresses("known-member");
  await server.sendRequest({ register: known });
  for (const [name, probe] of Object.entries(PROBES)) {
    const unknown = addresses(`nobody-${name}`.slice(0, 12).padEnd(12, "x"));
    const pairs = known.map((address, index) => ({ known: address, unknown: unknown[index] ?? "" }));
    report(build, name, await measure(server, { name, probe, pairs }));
  }
  server.stop();
}

type Measurement = { name: string; probe: (typeof PROBES)[string]; pairs: Pair[] };

async function measure(server: Server, { name, probe, pairs }: Measurement) {
  const times: Record<Kind, number[]> = { known: [], unknown: [] };
  const tokens = name === "resend" ? await requestResets(server, pairs) : await issueTokens(server, pairs);
  for (const [index, pair] of pairs.entries()) {
    const order: Kind[] = Math.random() < 0.5 ? ["known", "unknown"] : ["unknown", "known"];
    for (const kind of order) {
      const { milliseconds } = await send(server, probe(pair[kind], tokens[index]?.[kind] ?? ""));
      if (index >= WARM_UP) times[kind].push(milliseconds);
    }
  }
  return times;
}

/** Returns a bot check token for each call, old enough for the forms to have been filled in. */
async function issueTokens(server: Server, pairs: Pair[]): Promise<Pair[]> {
  const tokens = [];
  for (let index = 0; index < pairs.length; index++) tokens.push({ known: await issue(), unknown: await issue() });
  await server.sendRequest({ advance: 1000 });
  return tokens;

  async function issue() {
    const { body } = await send(server, { path: "/api/auth/bot-check" });
    return String(body.turnstileToken);
  }
}

/** Requests a reset for each address, long enough ago that its email can be sent again. */
async function requestResets(server: Server, pairs: Pair[]): Promise<Pair[]> {
  const checks = await issueTokens(server, pairs);
  const tokens = [];
  for (const [index, pair] of pairs.entries()) {
    tokens.push({ known: await ask("known"), unknown: await ask("unknown") });

    async function ask(kind: Kind) {
      const body = { email: pair[kind], turnstileToken: checks[index]?.[kind] };
      return String((await send(server, { path: "/api/auth/forgot-password", body })).body.resetToken);
    }
  }
  await server.sendRequest({ advance: 61_000 });
  return tokens;
}

/** Sends a call from a new client, and measures the time until the whole response has arrived. */
async function send(server: Server, { path, body }: { path: string; body?: object }) {
  clients += 1;
  const payload = body && JSON.stringify(body);
  const start = performance.now();
  const sent = request(server.url + path, {
    agent,
    method: payload ? "POST" : "GET",
    headers: {
      "x-forwarded-for": `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`,
      ...(payload && { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
    },
  });
  sent.end(payload);
  const [response] = await once(sent, "response");
  const answer = (await json(response)) as Record<string, unknown>;
  const milliseconds = performance.now() - start;
  const isExpected = response.statusCode === 200 || answer.error === "INVALID_CREDENTIALS";
  if (!isExpected) throw new Error(`${path} answered ${response.statusCode}: ${JSON.stringify(answer)}`);
  return { milliseconds, body: answer };
}

function report(build: string, name: string, { known, unknown }: Record<Kind, number[]>) {
  const z = mannWhitney(known, unknown);
  const isLeak = Math.abs(z) >= LIMIT;
  const isRight = isLeak === (build === "leaky");
  const verdict = isLeak ? "tells them apart" : "tells nothing";
  console.log(
    `${build.padEnd(6)} ${name.padEnd(11)} known ${ms(known)}  unknown ${ms(unknown)}  |z| ${Math.abs(z).toFixed(2).padStart(6)}` +
      `  ${verdict}${isRight ? "" : "  WRONG"}`,
  );
  if (!isRight) process.exitCode = 1;
}

const ms = (values: number[]) => `${median(values).toFixed(3).padStart(7)} ms`;

type Server = Awaited<ReturnType<typeof startServer>>;

async function startServer(options: TimingServerOptions) {
  const child = fork(new URL("./timing-server.ts", import.meta.url), [JSON.stringify(options)], {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production", NODE_OPTIONS: "" },
  });
  const [{ url }] = (await nextMessage(child)) as [{ url: string }];
  return {
    url,
    async sendRequest(request: TimingServerRequest) {
      child.send(request);
      await nextMessage(child);
    },
    stop: () => child.disconnect(),
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown[]> {
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The server has ended.")));
  return Promise.race([once(child, "message"), ended]);
}
