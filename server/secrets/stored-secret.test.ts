import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartError } from "../start-error.ts";
import { loadOrCreateSecret } from "./stored-secret.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nodebeat-secret-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a secret is created once, kept, and readable by its owner only", async () => {
  const dataDir = join(folder, "data");
  const first = await loadOrCreateSecret(dataDir, "session-secret", 32);
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(await loadOrCreateSecret(dataDir, "session-secret", 32)).toBe(first);
  expect(await loadOrCreateSecret(dataDir, "demo-password", 9)).not.toBe(first);
  expect((await stat(join(dataDir, "session-secret"))).mode & 0o777).toBe(0o600);
});

test("a secret is there as a whole from the first moment on, for another process that starts just then", async () => {
  const path = join(folder, "session-secret");
  const first = loadOrCreateSecret(folder, "session-secret", 32);
  while (!existsSync(path)) {
    // The system goes on meanwhile, and this thread cannot: each step of the work is seen as another process sees it.
    for (const end = performance.now() + 5; performance.now() < end && !existsSync(path););
    await setImmediate();
  }
  expect(readFileSync(path, "utf8").trim()).toBe(await first);
  const starts = Array.from({ length: 8 }, () => loadOrCreateSecret(join(folder, "other"), "session-secret", 32));
  expect(new Set(await Promise.all(starts)).size).toBe(1);
  expect(await readdir(join(folder, "other"))).toEqual(["session-secret"]);
});

test("explains that a folder cannot be written to, or that a file cannot be read", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  // Paths where Linux can never create a folder.
  for (const dataDir of [file, join(file, "data"), "/proc/nodebeat"])
    await expect(loadOrCreateSecret(dataDir, "session-secret", 32)).rejects.toEqual(
      new StartError(`The folder ${dataDir} cannot be written to. Set DATA_DIR to one that can.`),
    );
  const secret = join(folder, "session-secret");
  await mkdir(secret);
  await expect(loadOrCreateSecret(folder, "session-secret", 32)).rejects.toEqual(
    new StartError(`${secret} cannot be read. Start as the user whose file it is, or set DATA_DIR to another folder.`),
  );
});

test("an emptied file is reported instead of used", async () => {
  await writeFile(join(folder, "session-secret"), "");
  await expect(loadOrCreateSecret(folder, "session-secret", 32)).rejects.toEqual(
    new StartError(`${join(folder, "session-secret")} is empty: delete it to have a new one made.`),
  );
});
