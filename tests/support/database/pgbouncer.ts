import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const PROGRAM = "/usr/sbin/pgbouncer";
export const hasPgBouncer = existsSync(PROGRAM);

/** How many connections to the server each database has: fewer than its clients, so that they share. */
const SHARED = 2;

/**
 * Starts a PgBouncer in transaction mode, with defaults otherwise, in front of a test's PostgreSQL. Returns its address
 * and a function that stops it.
 */
export async function startPgBouncer(serverUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const url = new URL(serverUrl);
  const server = url.searchParams.get("host") ?? "";
  // PgBouncer refuses to run as root, and only the server's user can open its socket.
  const { uid, gid } = statSync(server);
  const folder = mkdtempSync("/tmp/nodebeat-pgbouncer-");
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(join(folder, "users.txt"), '"postgres" ""\n');
  writeFileSync(settings, describe(`host=${server} port=${url.port || 5432}`, folder));
  for (const path of [folder, settings, join(folder, "users.txt")]) chownSync(path, uid, gid);

  const child = spawn(PROGRAM, [settings], { stdio: ["ignore", "ignore", "pipe"], uid, gid });
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  const ended = once(child, "exit");
  await waitUntilUp(child.stderr);

  url.searchParams.set("host", folder);
  url.port = "6432";
  async function stop() {
    end();
    await ended;
    process.off("exit", end);
    rmSync(folder, { recursive: true });
  }
  return { url: url.href, stop };
}

const describe = (server: string, folder: string) => `[databases]
* = ${server}
[pgbouncer]
pool_mode = transaction
default_pool_size = ${SHARED}
listen_port = 6432
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${join(folder, "users.txt")}
`;

/** Waits until it is up. Keeps reading afterwards, because a full pipe would block it. */
function waitUntilUp(said: NodeJS.ReadableStream) {
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const reader = createInterface(said);
  reader.on("line", (line) => {
    if (lines.length < 20) lines.push(line);
    if (line.includes("process up")) resolve();
  });
  reader.once("close", () => reject(new Error(`PgBouncer did not start:\n${lines.join("\n")}`)));
  return promise;
}
