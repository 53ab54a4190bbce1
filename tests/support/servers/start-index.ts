import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BARE_ENV } from "./bare-env.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const running = new Map<ChildProcess, Promise<unknown>>();
// However this process ends, it leaves no process behind.
process.once("exit", () => {
  for (const child of running.keys()) child.kill("SIGKILL");
});

type StartOptions = {
  /** Options for Node itself. */
  nodeOptions?: string[];
  /** Another checkout instead of this one. */
  root?: string;
};

/** Starts the server as an operator does, in a folder and with only the given settings. */
export function startIndex(folder: string, settings: Record<string, string> = {}, options: StartOptions = {}) {
  const { nodeOptions = [], root = ROOT } = options;
  const env = { ...BARE_ENV, HOME: folder, PORT: "0", ...settings };
  const child = spawn(process.execPath, [...nodeOptions, join(root, "server/index.ts")], { cwd: folder, env });
  let output = "";
  let next = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      next.resolve();
      next = Promise.withResolvers();
    });
  let hasEnded = false;
  const ended = once(child, "close").then(([code]) => {
    hasEnded = true;
    running.delete(child);
    return { code, output };
  });
  running.set(child, ended);
  /** Resolves to what matches in the output, or to undefined if the process ends first. */
  async function says(pattern: RegExp) {
    for (;;) {
      const [said] = pattern.exec(output) ?? [];
      if (said || hasEnded) return said;
      await Promise.race([next.promise, ended]);
    }
  }
  return { child, ended, says, url: says(/(?<=ready at )http\S+/), log: () => output };
}

/** Kills all processes at the end of each test, when nobody waits for them any more. */
export async function killStarted(): Promise<void> {
  for (const child of running.keys()) child.kill("SIGKILL");
  await Promise.all(running.values());
}
