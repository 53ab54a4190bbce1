import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { BARE_ENV } from "../tests/support/servers/bare-env.ts";
import { QUICK_ENGINE, QUICK_EXIT } from "../tests/support/servers/quick-engine.ts";
import { serveLocally } from "../tests/support/servers/serve-locally.ts";
import { killStarted, startIndex } from "../tests/support/servers/start-index.ts";

let folder: string;

// One folder for all tests: the first start takes five times as long as a later one.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nodebeat-start-"));
});
afterEach(killStarted);
afterAll(() => rm(folder, { recursive: true }));

const start = (settings?: Record<string, string>, nodeOptions = QUICK_ENGINE) =>
  startIndex(folder, settings, { nodeOptions });

/** Sends the head of a request whose body never follows, and waits until the server has it. */
async function beginRequest({ url }: ReturnType<typeof start>): Promise<Socket> {
  const { hostname, port } = new URL((await url) ?? "");
  // The server that these tests kill resets what it had not read.
  const socket = connect(Number(port), hostname).on("error", () => {});
  const head = ["POST /api/login HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Content-Length: 10"];
  socket.write([...head, "Expect: 100-continue", "", ""].join("\r\n"));
  await once(socket, "data");
  return socket;
}

test("production without settings lists the missing ones and does not start", async () => {
  const { ended } = start({ NODE_ENV: "production" }, QUICK_EXIT);
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output).toMatch(
    /^Nodebeat cannot start with these settings:\n {2}- PUBLIC_URL is required.*\n {2}- SESSION_SECRET is required.*\n {2}- SMTP_URL is required.*\n {2}- MAIL_FROM is required.*\n$/,
  );
});

test("a demo starts in an empty folder, locks others out, runs a command and ends cleanly on SIGTERM", async () => {
  const { child, ended, url } = start({ SHUTDOWN_GRACE_SECONDS: "1", TRUSTED_PROXY: "10.0.0.1" });
  const response = await fetch(`${await url}/readyz`);
  expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
  expect(await (await fetch(`${await url}/auth`)).text()).toContain("<!DOCTYPE html>");
  for (const closed of ["data/db", "data/db/socket"])
    expect((await stat(join(folder, closed))).mode & 0o777).toBe(0o700);
  const ops = join(import.meta.dirname, "ops/ops.command.ts");
  const typed = ["incidents", "open", "Mail is late", "--text", "It is slow.", "--reason", "Pager"];
  const asking = spawn(process.execPath, [...QUICK_EXIT, ops, ...typed], { cwd: folder, env: BARE_ENV });
  const [said, [status]] = await Promise.all([text(asking.stdout), once(asking, "exit")]);
  expect([status, said]).toEqual([0, expect.stringMatching(/ open {2}Mail is late {2}/)]);

  // A second process on the same folder is refused with one line, and the first goes on.
  const second = await start({}, QUICK_EXIT).ended;
  expect(second.code).toBe(1);
  expect(second.output.trim().split("\n")).toHaveLength(1);
  expect(second.output).toContain("data");
  expect((await fetch(`${await url}/readyz`)).status).toBe(200);

  // It goes on serving during the grace period.
  child.kill("SIGTERM");
  const { code, output } = await ended;
  expect(output).toContain("Did you mean TRUSTED_PROXIES?");
  const timeOf = (message: string) => Date.parse(output.match(`"time":"([^"]+)".*"msg":"${message}"`)?.[1] ?? "");
  expect(timeOf("closed") - timeOf("shutting down")).toBeGreaterThanOrEqual(1000);
  expect(code).toBe(0);
});

test("Ctrl+C ends it cleanly, even though npm repeats the signal", async () => {
  const server = start();
  const hanging = await beginRequest(server);

  server.child.kill("SIGINT");
  await server.says(/shutting down/);
  server.child.kill("SIGINT");
  server.child.kill("SIGTERM");
  hanging.destroy();

  const { code, output } = await server.ended;
  expect(output).toContain(`"msg":"closed"`);
  expect(code).toBe(0);
});

test("repeated signals end it without waiting for a request that hangs", async () => {
  const server = start();
  await beginRequest(server);

  const asking = setInterval(() => server.child.kill("SIGTERM"), 100);
  const { code, output } = await server.ended.finally(() => clearInterval(asking));
  expect(output).toContain(`"msg":"shutting down"`);
  expect(output).not.toContain(`"msg":"closed"`);
  expect(code).toBe(1);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s ends it at once while it waits for its database", async (signal) => {
  const silent = createServer();
  const { port } = await serveLocally(silent);
  const databaseUrl = `postgres://nodebeat@127.0.0.1:${port}/nodebeat`;
  const { child, ended } = start({ DATABASE_URL: databaseUrl, NODEBEAT_ROLE: "worker" });
  const [asking]: Socket[] = await once(silent, "connection");
  asking?.on("error", () => {});
  child.kill(signal);
  expect((await ended).code).toBe(0);
  asking?.destroy();
  silent.close();
});
