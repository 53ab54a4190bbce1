import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * What a thread is asked: a new hash, or whether a password is the hashed one. Parameters as @node-rs/argon2 takes
 * them.
 */
export type HashJob =
  | { password: string; parameters: { memoryCost: number; timeCost: number; parallelism: number; outputLen: number } }
  | { password: string; passwordHash: string };

export type HashOutcome = { result: string | boolean } | { problem: string };

/**
 * Threads that do nothing but hash, with the least claim to the processor: what members are waiting for comes first,
 * and libuv's own threads stay free for files and names. Made when they are needed, and no reason to stay for a process
 * that could end. As many run at once as jobs are given at once: bound those.
 */
export function createHashThreads(): { run: (job: HashJob) => Promise<string | boolean> } {
  const idle: Worker[] = [];

  return {
    async run(job) {
      const worker = idle.pop() ?? start();
      // Somebody waits for it now.
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's takes none, only a window's does
      worker.postMessage(job);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what hash.worker.ts posts
      const [outcome] = (await once(worker, "message")) as [HashOutcome];
      worker.unref();
      idle.push(worker);
      if ("problem" in outcome) throw new Error(outcome.problem);
      return outcome.result;
    },
  };
}

const start = () => new Worker(new URL("./hash.worker.ts", import.meta.url));
