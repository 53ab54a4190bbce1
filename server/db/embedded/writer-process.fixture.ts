import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { QUICK_ENGINE } from "../../../tests/support/servers/quick-engine.ts";

type WriterOptions = {
  program: "writer" | "stock-writer";
  dataDir: string;
  /** How many acknowledged numbers to wait for before killing the process. */
  acknowledged: number;
  /** A folder to record what reaches the disk. Nothing is recorded if absent. */
  record?: string;
};

/**
 * Runs a writer until it has acknowledged that many numbers, then kills it with SIGKILL. Returns all acknowledged
 * numbers.
 */
export async function killWriter({ program, dataDir, acknowledged, record }: WriterOptions): Promise<number[]> {
  const recorder = record ? ["--import", locate("disk-recorder.fixture.ts")] : [];
  const writer = spawn(process.execPath, [...QUICK_ENGINE, ...recorder, locate(`${program}.fixture.ts`), dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "", RECORDED_FOLDER: dataDir, RECORD: record },
  });
  const ended = once(writer, "close");
  const numbers: number[] = [];
  for await (const line of createInterface(writer.stdout)) {
    numbers.push(Number(line));
    if (numbers.length === acknowledged) writer.kill("SIGKILL");
  }
  await ended;
  if (numbers.length < acknowledged) throw new Error(`The writer ended after ${numbers.length} numbers`);
  return numbers;
}

const locate = (name: string) => fileURLToPath(new URL(name, import.meta.url));
