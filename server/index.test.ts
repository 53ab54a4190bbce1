import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const entry = fileURLToPath(new URL("index.ts", import.meta.url));
const running = new Set<ChildProcess>();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nodebeat-start-"));
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

/** The process as an operator starts it, in an empty folder and with no settings but those given. */
function start(settings: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, HOME: folder, PORT: "0", ...settings };
  const child = spawn(process.execPath, [entry], { cwd: folder, env });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return { code, output };
  });
  return { child, ended, url: findUrl(child, () => output) };
}

/** Resolves to undefined when the process ends without saying where it listens. */
async function findUrl(child: ChildProcess, output: () => string) {
  for (;;) {
    const url = /ready at (http\S+)/.exec(output())?.[1];
    if (url || child.exitCode !== null) return url;
    await Promise.race([once(child.stdout ?? child, "data"), once(child, "close")]);
  }
}

test("production without settings lists what is missing and refuses to start", async () => {
  const { ended } = start({ NODE_ENV: "production" });
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output).toMatch(
    /^Nodebeat cannot start with these settings:\n {2}- PUBLIC_URL is required.*\n {2}- SESSION_SECRET is required.*\n$/,
  );
});

test("a demo starts in an empty folder, answers, and ends cleanly on SIGTERM", async () => {
  const { child, ended, url } = start();
  const response = await fetch(`${await url}/readyz`);
  expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
  expect(await (await fetch(`${await url}/auth`)).text()).toContain("<!DOCTYPE html>");

  child.kill("SIGTERM");
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(output).toContain(`"msg":"closed"`);
});

test("a second process on the same folder is refused with a sentence, and the first goes on", async () => {
  const first = start();
  const url = await first.url;
  const { code, output } = await start().ended;
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toHaveLength(1);
  expect(output).toContain("data");
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});
