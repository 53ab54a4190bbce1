import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import type { HashJob, HashOutcome } from "./hash-threads.ts";

// On Linux, 0 means the calling thread (setpriority(2), notes). Elsewhere it would mean the whole process.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_LOW);

parentPort?.on("message", (job: HashJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port's takes none, only a window's does
  parentPort?.postMessage(perform(job));
});

function perform(job: HashJob): HashOutcome {
  try {
    if ("passwordHash" in job) return { result: verifySync(job.passwordHash, job.password) };
    return { result: hashSync(job.password, job.parameters) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
