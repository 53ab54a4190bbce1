import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findFreePort } from "../support/servers/free-port.ts";
import { startPostgres, type PostgresOptions } from "../support/database/postgres.ts";
import { startIndex } from "../support/servers/start-index.ts";
import { MAIL } from "./network.ts";

export const PUBLIC_URL = "https://nodebeat.test";
const READY_WITHIN = 180_000;

type Role = "web" | "worker";

/** A process of an installation, which keeps its port. */
type Member = {
  name: string;
  role: Role;
  port: number;
  /**
   * Ends it as an orchestrator does, and starts it again. Resolves once the new one is ready, to the exit code of the
   * old one.
   */
  restart(): Promise<number | null>;
  stop(): Promise<number | null>;
};

export type Installation = { databaseUrl: string; processes: Member[]; close(): Promise<void> };

type Options = {
  roles: Role[];
  settings?: Record<string, string>;
  postgres?: PostgresOptions;
  /** The checkout to start, if not this one. */
  root?: string;
};

/** Starts a PostgreSQL, prepares it, and starts an installation's processes on it. */
export async function startInstallation(
  { roles, settings = {}, postgres: ofPostgres = {}, root }: Options,
  prepare: (databaseUrl: string) => Promise<void>,
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "nodebeat-installation-"));
  const postgres = await startPostgres(ofPostgres);
  const started: Member[] = [];
  async function close() {
    await Promise.all(started.map((each) => each.stop()));
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await prepare(postgres.url);
    const shared = {
      ...MAIL,
      PUBLIC_URL,
      DATABASE_URL: postgres.url,
      SESSION_SECRET: SECRET,
      LOG_LEVEL: "warn",
      TRUSTED_PROXIES: "127.0.0.1",
      ...settings,
    };
    const numbers: Record<Role, number> = { web: 0, worker: 0 };
    for (const role of roles) {
      const name = `${role}-${++numbers[role]}`;
      started.push(await startProcess({ name, role, folder, settings: shared, root }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { databaseUrl: postgres.url, processes: started, close };
}

const SECRET = "kq0Vx9mB3sYp7TzWf2LrHd8NcGa5JeUi";

type Process = { name: string; role: Role; folder: string; settings: Record<string, string>; root: string | undefined };

async function startProcess({ name, role, folder, settings, root }: Process): Promise<Member> {
  const port = await findFreePort();
  const start = () =>
    startIndex(folder, { ...settings, NODEBEAT_ROLE: role, HOST: "127.0.0.1", PORT: String(port) }, { root });
  let running = start();
  await becomeReady().catch((error: unknown) => {
    running.child.kill("SIGKILL");
    throw error;
  });

  async function becomeReady() {
    const until = Date.now() + READY_WITHIN;
    while (!(await isReady(port))) {
      if (running.child.exitCode !== null || Date.now() > until) throw new Error(`${name}:\n${running.log()}`);
      await wait(50);
    }
  }
  async function stop() {
    running.child.kill("SIGTERM");
    const { code, output } = await running.ended;
    if (code !== 0) process.stderr.write(`${name} ended with ${code}:\n${output}\n`);
    return code;
  }
  async function restart() {
    const code = await stop();
    running = start();
    await becomeReady();
    return code;
  }
  return { name, role, port, stop, restart };
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: "close" } }).catch(() => null);
  await answer?.text();
  return answer?.status === 200;
}
