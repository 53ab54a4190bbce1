import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BARE_ENV } from "./bare-env.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const running = new Set<ChildProcess>();
// Whatever ends this process, nothing of it goes on.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

type StartOptions = {
  /** Node's own. */
  nodeOptions?: string[];
  /** Another checkout than this one. */
  root?: string;
};

/** The process as an operator starts it, in a folder and with no settings but those given. */
export function startIndex(folder: string, settings: Record<string, string> = {}, options: StartOptions = {}) {
  const { nodeOptions = [], root = ROOT } = options;
  const env = { ...BARE_ENV, HOME: folder, PORT: "0", ...settings };
  const child = spawn(process.execPath, [...nodeOptions, join(root, "server/index.ts")], { cwd: folder, env });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return { code, output };
  });
  /** Resolves to what matches, or to undefined when the process ends before it has said so. */
  async function says(pattern: RegExp) {
    for (;;) {
      const [said] = pattern.exec(output) ?? [];
      if (said || child.exitCode !== null) return said;
      await Promise.race([once(child.stdout, "data"), once(child, "close")]);
    }
  }
  return { child, ended, says, url: says(/(?<=ready at )http\S+/), log: () => output };
}

/** For the end of each test: nobody asks what becomes of the processes any more. */
export async function killStarted(): Promise<void> {
  const left = [...running].map((child) => once(child, "exit"));
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(left);
}
