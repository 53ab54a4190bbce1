import { once } from "node:events";
import { existsSync } from "node:fs";
import { Agent, request } from "node:http";
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { startApp } from "../support/servers/start-app.ts";
import { startPostgres } from "../support/database/postgres.ts";
import { cpuMicroseconds } from "./cpu-time.ts";
import { readNumber, readOptions } from "../support/command-options.ts";
import { median } from "../support/percentile.ts";

/*
 * CPU per request of our pages, compared with a plain React Router app under react-router-serve. Its pages have the
 * size that ours had when the limits were set, so that what ours save in size counts. Both run in separate processes
 * with NODE_ENV=production. Requests alternate in rounds, and the CPU time is what the operating system charged each
 * whole process (all its threads) for its rounds.
 *
 * "rendered" is a page at an address that was never requested, so that nothing of it is cached, like the page of a
 * member whose points change. "kept" is the same page requested again.
 */
readOptions(
  "npm run bench:pages      CPU per request beside a plain React Router app; with BENCH_ROUNDS, BENCH_REQUESTS another number",
  {},
);

const ROUNDS = readNumber("BENCH_ROUNDS", process.env.BENCH_ROUNDS ?? "7");
const REQUESTS = readNumber("BENCH_REQUESTS", process.env.BENCH_REQUESTS ?? "800");
const WARM_UP = 800;
const CONCURRENCY = 8;
const PAGES = {
  "/auth": { peerSize: 16_804, rendered: 0.3, kept: 0.15 },
  "/dashboard": { peerSize: 74_072, rendered: 0.45, kept: 0.35 },
};
const PEER = fileURLToPath(new URL("./peer", import.meta.url));

let firsts = 0;
const postgres = await startPostgres();
const app = await startApp({ databaseUrl: postgres.url });
const peer = await startPeer();

try {
  const { cookie, userId } = await app.seed.member({});
  await app.seed.post(userId, monthsOfActivity());
  const headers = { cookie: `${cookie.name}=${cookie.value}` };
  for (const [path, { peerSize, ...limits }] of Object.entries(PAGES)) {
    const kept = { pid: app.pid, url: app.url + path, headers: path === "/auth" ? {} : headers };
    const rendered = { ...kept, url: () => `${app.url}${path}?first=${(firsts += 1)}` };
    const theirs = { pid: peer.pid, url: await peer.pageOf(peerSize), headers: {} };
    const size = (await get(kept)).length;
    report(`${path}, rendered`, limits.rendered, size, await compare(rendered, theirs));
    report(`${path}, kept`, limits.kept, size, await compare(kept, theirs));
  }
} finally {
  peer.stop();
  await app.close();
  await postgres.stop();
}

type Target = { pid: number; url: string | (() => string); headers: Record<string, string> };

async function compare(ours: Target, theirs: Target) {
  await load(ours, WARM_UP);
  await load(theirs, WARM_UP);
  const rounds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ ours: await cpuPerRequest(ours), theirs: await cpuPerRequest(theirs) });
  }
  return rounds;
}

async function cpuPerRequest(target: Target) {
  const before = await cpuMicroseconds(target.pid);
  await load(target, REQUESTS);
  return ((await cpuMicroseconds(target.pid)) - before) / REQUESTS;
}

async function load(target: Target, count: number) {
  let left = count;
  // New connections, because the server closes idle ones after some seconds while the others are measured.
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const worker = async () => {
    while (left-- > 0) await get(target, agent);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  agent.destroy();
}

/** Requests a page as browsers do, and returns the decompressed body. */
async function get({ url, headers }: Pick<Target, "url" | "headers">, agent?: Agent): Promise<Buffer> {
  const sent = request(typeof url === "string" ? url : url(), {
    ...(agent && { agent }),
    headers: {
      accept: "text/html",
      "accept-encoding": "gzip, deflate, br, zstd",
      "user-agent": "Mozilla/5.0 Chrome/156",
      ...headers,
    },
  });
  sent.end();
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  if (response.statusCode !== 200) throw new Error(`${sent.path} answered ${response.statusCode}`);
  const body = Buffer.concat(chunks);
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };
  const decode = decoders[response.headers["content-encoding"] as keyof typeof decoders];
  return decode ? decode(body) : body;
}

/** Returns points of every category on each of the last 90 days: as full as a dashboard gets. */
function monthsOfActivity() {
  const categories = ["Connectivity", "Referral", "Rewards", "Others"] as const;
  return Array.from({ length: 90 * categories.length }, (_, index) => ({
    category: categories[index % categories.length] ?? "Others",
    points: 25 + ((index * 37) % 400),
    comment: `Entry ${index}`,
    daysAgo: Math.floor(index / categories.length),
  }));
}

function report(path: string, limit: number, size: number, rounds: { ours: number; theirs: number }[]) {
  const ratio = median(rounds.map((round) => round.ours / round.theirs));
  const ours = median(rounds.map((round) => round.ours));
  const theirs = median(rounds.map((round) => round.theirs));
  const over = ratio > limit;
  console.log(
    `${path.padEnd(20)} ${String(size).padStart(7)} bytes  ${ours.toFixed(0).padStart(6)} µs  peer ${theirs.toFixed(0).padStart(6)} µs` +
      `  ratio ${ratio.toFixed(3)} of at most ${limit}${over ? "  TOO SLOW" : ""}`,
  );
  if (over) process.exitCode = 1;
}

async function startPeer() {
  if (!existsSync(`${PEER}/build/server/index.js`))
    spawnSync("react-router", ["build"], { cwd: PEER, stdio: "inherit" });
  const port = 20_000 + (process.pid % 20_000);
  const child = spawn("react-router-serve", ["build/server/index.js"], {
    cwd: PEER,
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), HOST: "127.0.0.1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  // It logs every request, so its output must be drained.
  child.stdout.resume();
  const pageWith = (rows: number) => `http://127.0.0.1:${port}/?rows=${rows}`;
  const sizeOf = async (rows: number) => (await get({ url: pageWith(rows), headers: {} })).length;
  return {
    pid: child.pid ?? 0,
    stop: () => child.kill(),
    /** Returns the page whose size is closest to `size` bytes. */
    async pageOf(size: number) {
      const empty = await sizeOf(0);
      const row = ((await sizeOf(200)) - empty) / 200;
      return pageWith(Math.max(0, Math.round((size - empty) / row)));
    },
  };
}
