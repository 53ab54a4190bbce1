import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type TestPostgres = { url: string; stop(): Promise<void> };

/** The replica, if there is one. */
type Standby = {
  url: string;
  /** Kills it without a clean shutdown. */
  kill(): Promise<void>;
  /** Starts it again: it continues where it was. */
  start(): Promise<void>;
};

export type PostgresOptions = {
  /** As in an installation: what was committed is on disk. Without it, tests are faster. */
  isDurable?: boolean;
  /** More settings of the server, as `name=value`. */
  settings?: string[];
  /** The folder of its programs, instead of the packages that tests use. */
  programs?: string;
  /** An existing folder for the tables; the write-ahead log stays elsewhere. */
  dataFolder?: string;
  /**
   * Adds a replica on port 5433, which keeps running when this server is killed. With `synchronous`, no commit succeeds
   * without it; with `late`, it may lag behind.
   */
  standby?: "synchronous" | "late";
};

/**
 * Starts a real PostgreSQL with a new, empty cluster, on a Unix socket. It ends with `stop()`, and with this process
 * however that ends. Throws if the server does not start.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres & { standby: Standby }> {
  const program = fileURLToPath(new URL("./postgres-keeper.ts", import.meta.url));
  const keeper = spawn(process.execPath, [program, JSON.stringify(options)], {
    // The keeper notices the end of this process by the end of its stdin.
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(keeper, "exit");
  const lines = createInterface(keeper.stdout);
  const listen = () => Promise.race([once(lines, "line").then(([line]) => String(line)), ended.then(() => undefined)]);
  const url = await listen();
  if (!url) throw new Error("PostgreSQL did not start: its own words are above");
  const standbyUrl = new URL(url);
  standbyUrl.port = "5433";

  async function ask(wish: string) {
    const done = listen();
    keeper.stdin.write(`${wish}\n`);
    if (!(await done)) throw new Error(`PostgreSQL ended at the wish to ${wish}`);
  }

  async function stop() {
    keeper.stdin.end();
    await ended;
  }
  const standby = { url: standbyUrl.href, kill: () => ask("kill standby"), start: () => ask("start standby") };
  return { url, standby, stop };
}
