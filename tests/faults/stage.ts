import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../support/servers/free-port.ts";
import { startPostgres, type PostgresOptions } from "../support/database/postgres.ts";
import { killStarted, startIndex } from "../support/servers/start-index.ts";
import { startTcpProxy } from "../support/servers/tcp-proxy.ts";
import { sendRequest } from "./send-request.ts";
import { plant, type Defect } from "./defect.ts";
import { seed, type Seeded } from "./seeds.ts";
import { until } from "./until.ts";

const CODE = fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url));

type StageOptions = {
  defect?: Defect | undefined;
  postgres?: PostgresOptions;
  /** Additional settings of both processes. */
  settings?: Record<string, string>;
  nodeOptions?: string[];
  seeds?: Parameters<typeof seed>[1];
};

const socketOf = (url: string) => `${new URL(url).searchParams.get("host")}/.s.PGSQL.${new URL(url).port || 5432}`;

export type Process = ReturnType<typeof startIndex> & { startedAt: number };

/**
 * Opens a PostgreSQL as in an installation, a proxy in front of it, and any number of web processes and workers: each
 * is the built product in its own process.
 */
export async function openStage({ defect, nodeOptions = [], postgres: given, seeds, settings = {} }: StageOptions) {
  const postgres = await startPostgres({ isDurable: true, ...given });
  const wire = await startTcpProxy(socketOf(postgres.url));
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-faults-"));
  let databaseUrl = postgres.url;
  const seeded: Seeded = await seed(postgres.url, seeds);
  // A web process that restarts gets the same port.
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;

  /** Starts another process. */
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

  /** Starts another process, and waits until it listens. Throws if it ends instead. */
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
    /** The address of the database itself, without the proxy. */
    databaseUrl: () => databaseUrl,
    /** Moves to another database, which has replaced this one. */
    moveTo(next: string) {
      databaseUrl = next;
      wire.leadTo(socketOf(next));
    },
    seeded,
    start,
    started,
    /** Returns whether a write, a read and a page work. */
    isWell: (at = url) => isWell(seeded, at),
    /** Returns the milliseconds until all is well, or Infinity after half a minute. */
    untilWell: (at = url) => until(() => isWell(seeded, at), 30),
    /** Returns the delivered emails: each recipient and message id. */
    readMails: () => readMails(join(folder, "data", "mail")),
    close,
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Numbers the checks' heartbeats, so that each has its own time. */
let canaries = 0;

async function isWell({ members }: Seeded, at: string): Promise<boolean> {
  const [member] = members;
  if (!member) return false;
  const from = "10.9.9.9";
  // Days before the heartbeats of the load.
  const timestamp = new Date(Math.floor(Date.now() / 1000 - 4 * 86_400 - canaries++) * 1000).toISOString();
  const body = { beats: [{ timestamp }] };
  const answers = await Promise.all([
    sendRequest(at, { method: "POST", path: "/api/heartbeats", token: member.key, body, from }),
    sendRequest(at, { path: "/api/users/stats", token: member.token, from }),
    sendRequest(at, { path: "/dashboard", cookie: member.cookie, from }),
    sendRequest(at, { path: "/readyz" }),
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
