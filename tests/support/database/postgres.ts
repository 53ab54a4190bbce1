import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type TestPostgres = { url: string; stop(): Promise<void> };

/** The replica, where there is one. */
type Standby = {
  url: string;
  /** Ends it without any farewell. */
  kill(): Promise<void>;
  /** After that: it goes on where it was. */
  start(): Promise<void>;
};

export type PostgresOptions = {
  /** As an installation has it: what was committed is on the disk. Without it, tests are quicker. */
  isDurable?: boolean;
  /** Further settings of the server, as `name=value`. */
  settings?: string[];
  /** Where its programs are, in place of the packages that tests use. */
  programs?: string;
  /** An existing folder for the tables, while the log of writes stays elsewhere. */
  dataFolder?: string;
  /**
   * Has a replica on port 5433, which goes on when this one is killed: `synchronous`, without which nothing is
   * committed, or one that may be late.
   */
  standby?: "synchronous" | "late";
};

/**
 * Starts a real PostgreSQL with an empty cluster of its own, reached by a Unix socket. It goes away with `stop()`,
 * and with this process however that ends. Throws when the server does not come up.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres & { standby: Standby }> {
  const program = fileURLToPath(new URL("./postgres-keeper.ts", import.meta.url));
  const keeper = spawn(process.execPath, [program, JSON.stringify(options)], {
    // The keeper takes the end of its input for the end of this process.
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
