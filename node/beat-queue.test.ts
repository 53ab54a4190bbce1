import fs from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openBeatQueue } from "./beat-queue.ts";

/** Returns a path for beats, in a folder that is removed after the test. */
async function createPath() {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-queue-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "beats");
}

test("flushes an added beat to disk, so that it survives a power cut", async () => {
  const path = await createPath();
  const flush = vi.spyOn(fs, "fsyncSync");
  syncBuiltinESMExports();
  onTestFinished(() => {
    flush.mockRestore();
    syncBuiltinESMExports();
  });
  const queue = openBeatQueue(path, () => {});
  queue.add(new Date("2026-11-20T12:00:00.000Z"));
  expect(flush).toHaveBeenCalledTimes(1);
});

test("a time from a clock that was thousands of years ahead is left out, because the server refuses what comes with it", async () => {
  const path = await createPath();
  await writeFile(path, "+012000-01-01T00:00:00.000Z\n2026-11-20T12:00:00.000Z\n");
  expect(openBeatQueue(path, () => {}).oldest(5)).toEqual(["2026-11-20T12:00:00.000Z"]);
});

test("half a line left by a power cut damages neither the beats before it nor the next one", async () => {
  const path = await createPath();
  const [first, next] = ["2026-11-20T12:00:00.000Z", "2026-11-20T12:15:00.000Z"];
  await writeFile(path, `${first}\n2026-11-20T12:0`);
  const queue = openBeatQueue(path, () => {});
  // If the node stops now, it says that nothing is lost.
  expect([queue.size, queue.isPersisted]).toEqual([1, true]);
  queue.add(new Date(next));
  expect(fs.readFileSync(path, "utf8")).toBe(`${first}\n${next}\n`);
});

test("if the file cannot be rewritten, sent beats stay in it, and no waiting beat is lost", async () => {
  const path = await createPath();
  const queue = openBeatQueue(path, () => {});
  for (const minute of [0, 15]) queue.add(new Date(Date.UTC(2026, 10, 20, 12, minute)));
  // This folder is in the way of the new file.
  await mkdir(`${path}.${process.pid}.next`);
  queue.remove(1);
  expect([queue.size, queue.isPersisted]).toEqual([1, true]);
  queue.add(new Date(Date.UTC(2026, 10, 20, 12, 30)));
  expect([queue.size, queue.isPersisted]).toEqual([2, false]);
  await rm(`${path}.${process.pid}.next`, { recursive: true });
  queue.add(new Date(Date.UTC(2026, 10, 20, 12, 45)));
  expect(queue.isPersisted).toBe(true);
  expect(fs.readFileSync(path, "utf8").match(/12:\d\d/g)).toEqual(["12:15", "12:30", "12:45"]);
});
