import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createTestDeps } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createLog } from "../log/log.ts";
import { requestBackup } from "./call-server.ts";
import { listenForOperations } from "./control-server.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

/** More than fits into the buffers between two processes. */
async function* readMuch() {
  yield { name: "much", size: 8_000_000, content: [Buffer.alloc(8_000_000)] };
}

test("waits for a slow source of a backup, and cuts off a reader that stops", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const { promise: disk, resolve: release } = Promise.withResolvers<void>();
  async function* readSlowly() {
    yield { name: "PG_VERSION", size: 3, content: [Buffer.from("18\n")] };
    await disk;
    yield { name: "last", size: 0, content: [] };
  }
  const sources = [readSlowly, readMuch];
  const readBackup = () => (sources.shift() ?? readMuch)();
  const dataDir = await mkdtemp(join(tmpdir(), "nodebeat-ops-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  onTestFinished(await listenForOperations({ ...createTestDeps(database), log, readBackup, patience: 50 }, dataDir));

  const slow = await requestBackup(dataDir);
  const whole = slow && buffer(slow);
  const unread = await requestBackup(dataDir);
  // The slow source has been silent for longer than this reader, so its time is up by then, too.
  await expect.poll(() => lines.join("")).toContain("a backup was cut off, because its reader had stopped reading");
  release();
  expect((await whole)?.toString()).toContain("last");
  await expect(unread && buffer(unread)).rejects.toThrow("aborted");
  expect(lines.join("")).not.toContain("Unexpected error");
});
