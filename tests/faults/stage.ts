import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../support/servers/free-port.ts";
import { startPostgres, type PostgresOptions } from "../support/database/postgres.ts";
import { killStarted, startIndex } from "../support/servers/start-index.ts";
import { startTcpProxy } from "../support/servers/tcp-proxy.ts";
import { ask } from "./ask.ts";
import { plant, type Defect } from "./defect.ts";
import { seed, type Seeded } from "./seeds.ts";
import { until } from "./until.ts";

const CODE = fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url));

type StageOptions = {
  defect?: Defect | undefined;
  postgres?: PostgresOptions;
  /** Settings of both processes beyond the usual. */
  settings?: Record<string, string>;
  nodeOptions?: string[];
  seeds?: Parameters<typeof seed>[1];
};

const socketOf = (url: string) => `${new URL(url).searchParams.get("host")}/.s.PGSQL.${new URL(url).port || 5432}`;

export type Process = ReturnType<typeof startIndex> & { startedAt: number };

/**
 * A PostgreSQL as an installation has it, the way to it, and beside it as many web processes and workers as are
 * started: each the built product in a process of its own.
 */
export async function openStage({ defect, nodeOptions = [], postgres: given, seeds, settings = {} }: StageOptions) {
  const postgres = await startPostgres({ isDurable: true, ...given });
  const wire = await startTcpProxy(socketOf(postgres.url));
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-faults-"));
  let databaseUrl = postgres.url;
  const seeded: Seeded = await seed(postgres.url, seeds);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;

  /** Starts one more. */
  function start(role: "web" | "worker", more: Record<string, string> = {}): Process {
    const all = {
      DATABASE_URL: `postgres://postgres@127.0.0.1:${wire.port}/postgres?sslmode=disable`,
      DATA_DIR: join(folder, "data"),
      HEARTBEAT_INTERVAL_SECONDS: "1",
      LOG_LEVEL: "warn",
      NODE_COMPILE_CACHE: CODE,
      NODEBEAT_ROLE: role,
      PORT: role === "web" ? String(port) : "0",
      SESSION_SECRET: "a secret of the faults, long enough for a key",
      SHUTDOWN_GRACE_SECONDS: "1",
      TRUSTED_PROXIES: "127.0.0.1",
      ...settings,
      ...more,
    };
    const startedAt = performance.now();
    return { ...startIndex(folder, all, { nodeOptions: [...nodeOptions, ...plant(defect)] }), startedAt };
  }

  /** The same, once it listens. Throws where it ends instead. */
  async function started(...[role, more]: Parameters<typeof start>): Promise<Process> {
    const process = start(role, more);
    if (!(await process.url)) throw new Error(`A ${role} process did not start:\n${(await process.ended).output}`);
    return process;
  }

  async function close() {
    await killStarted();
    await wire.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return {
    url,
    wire,
    folder,
    postgres,
    /** The database itself, past the way to it. */
    databaseUrl: () => databaseUrl,
    /** Another one has taken its place. */
    moveTo(next: string) {
      databaseUrl = next;
      wire.leadTo(socketOf(next));
    },
    seeded,
    start,
    started,
    /** Whether a write, a read and a page are as they should be. */
    isWell: (at = url) => isWell(seeded, at),
    /** Milliseconds until all is well; Infinity after half a minute. */
    untilWell: (at = url) => until(() => isWell(seeded, at), 30),
    /** The mails that were delivered: to whom, and which. */
    readMails: () => readMails(join(folder, "data", "mail")),
    close,
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A port that nobody has: a process that comes back has the one before's. */
let canaries = 0;

async function isWell({ members }: Seeded, at: string): Promise<boolean> {
  const [member] = members;
  if (!member) return false;
  const from = "10.9.9.9";
  // Days before those of the load.
  const timestamp = new Date(Math.floor(Date.now() / 1000 - 4 * 86_400 - canaries++) * 1000).toISOString();
  const body = { beats: [{ timestamp }] };
  const answers = await Promise.all([
    ask(at, { method: "POST", path: "/api/heartbeats", token: member.key, body, from }),
    ask(at, { path: "/api/users/stats", token: member.token, from }),
    ask(at, { path: "/dashboard", cookie: member.cookie, from }),
    ask(at, { path: "/readyz" }),
  ]).catch(() => []);
  return answers.length === 4 && answers.every(({ status, ms }) => status === 200 && ms < 2_000);
}

async function readMails(folder: string) {
  const names = await readdir(folder).catch(() => []);
  const mails = names.filter((name) => name.endsWith(".eml")).map((name) => readFile(join(folder, name), "utf8"));
  return (await Promise.all(mails)).map((text) => ({
    to: /^To: <?([^>\r\n]+)>?/m.exec(text)?.[1] ?? "",
    id: /^Message-ID: (\S+)/im.exec(text)?.[1] ?? "",
  }));
}
