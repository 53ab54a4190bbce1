import fs from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openBeatQueue } from "./beat-queue.ts";

test("a beat that was added is on the disk: a power cut does not take it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-queue-"));
  const flush = vi.spyOn(fs, "fsyncSync");
  onTestFinished(async () => {
    flush.mockRestore();
    await rm(folder, { recursive: true });
  });
  const queue = openBeatQueue(join(folder, "beats"), () => {});
  queue.add(new Date("2026-11-20T12:00:00.000Z"));
  expect(flush).toHaveBeenCalledTimes(1);
});
