import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A thread's task: to hash a password, or to check one against a hash. The parameters are those of @node-rs/argon2. */
export type HashJob =
  | { password: string; parameters: { memoryCost: number; timeCost: number; parallelism: number; outputLen: number } }
  | { password: string; passwordHash: string };

export type HashOutcome = { result: string | boolean } | { problem: string };

/**
 * Creates threads that only hash. They have the lowest priority: what members wait for comes first, and libuv's own
 * threads stay free for files and DNS. Starts a thread when it is needed; an idle thread does not keep the process
 * running. Runs as many threads as there are jobs at once, so the caller must limit the jobs.
 */
export function createHashThreads(): { run: (job: HashJob) => Promise<string | boolean> } {
  const idle: Worker[] = [];

  return {
    async run(job) {
      const worker = idle.pop() ?? start();
      // Keeps the process running while somebody waits for this hash.
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
