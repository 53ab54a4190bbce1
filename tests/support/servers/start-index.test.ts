import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { QUICK_ENGINE } from "./quick-engine.ts";
import { killStarted, startIndex } from "./start-index.ts";

const folder = await mkdtemp(join(tmpdir(), "nodebeat-start-index-"));
afterEach(killStarted);
afterAll(() => rm(folder, { recursive: true }));

test("whoever waits for a server's words hears that a signal has ended it", async () => {
  const { child, says, url } = startIndex(folder, {}, { nodeOptions: QUICK_ENGINE });
  child.kill("SIGKILL");
  expect([await url, await says(/ready/)]).toEqual([undefined, undefined]);
});
