import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { BARE_ENV } from "../../tests/support/servers/bare-env.ts";
import { QUICK_EXIT } from "../../tests/support/servers/quick-engine.ts";

const folder = await mkdtemp(join(tmpdir(), "nodebeat-ops-"));
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command as npm does. */
async function run(args: string[], stdout: number | "pipe") {
  const child = spawn(process.execPath, [...QUICK_EXIT, join(import.meta.dirname, "ops.command.ts"), ...args], {
    cwd: folder,
    env: BARE_ENV,
    stdio: ["ignore", stdout, "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (piece: Buffer) => (said += piece.toString()));
  // Hang up, as a reader does that has read enough.
  child.stdout?.destroy();
  const [code] = await once(child, "close");
  return { code, said };
}

test.runIf(process.platform === "linux")("exits with 1 if the result cannot be written", async () => {
  const full = await open("/dev/full", "w");
  onTestFinished(() => full.close());
  expect(await run(["help"], full.fd)).toEqual({
    code: 1,
    said: "The result could not be written: ENOSPC: no space left on device, write\n",
  });
});

test("exits quietly if the reader of its output hangs up, as head does", async () => {
  expect(await run(["help"], "pipe")).toEqual({ code: 0, said: "" });
});

test("keeps the notice that it waits for the database out of its JSON output", async () => {
  const nobody = { ...BARE_ENV, DATABASE_URL: "postgres://127.0.0.1:1/nodebeat" };
  const typed = ["database", "migrate", "--check", "--json"];
  const child = spawn(process.execPath, [...QUICK_EXIT, join(import.meta.dirname, "ops.command.ts"), ...typed], {
    cwd: folder,
    env: nobody,
  });
  let told = "";
  child.stderr.on("data", (piece: Buffer) => (told += piece.toString()));
  const said = text(child.stdout);
  await expect.poll(() => told).toContain("PostgreSQL does not answer yet");
  child.kill();
  expect(await said).toBe("");
});

test("explains that .env is not a file", async () => {
  await mkdir(join(folder, ".env"));
  onTestFinished(() => rm(join(folder, ".env"), { recursive: true }));
  expect(await run(["help"], "pipe")).toEqual({
    code: 1,
    said: ".env cannot be read: it must be a file that this user can read.\n",
  });
});
