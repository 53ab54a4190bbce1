import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepSecret } from "./kept-secret.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nodebeat-secret-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("is made once, kept, and readable by its owner only", async () => {
  const dataDir = join(folder, "data");
  const first = await keepSecret(dataDir, "session-secret", 32);
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(await keepSecret(dataDir, "session-secret", 32)).toBe(first);
  expect(await keepSecret(dataDir, "demo-password", 9)).not.toBe(first);
  expect((await stat(join(dataDir, "session-secret"))).mode & 0o777).toBe(0o600);
});

test("an emptied file is reported instead of used", async () => {
  await writeFile(join(folder, "session-secret"), "");
  await expect(keepSecret(folder, "session-secret", 32)).rejects.toThrow("is empty");
});
