import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { BARE_ENV } from "./bare-env.ts";

const entry = fileURLToPath(new URL("../../server/index.ts", import.meta.url));
const running = new Set<ChildProcess>();
// Whatever ends this process, nothing of it goes on.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** The process as an operator starts it, in a folder and with no settings but those given, and Node's own options. */
export function startIndex(folder: string, settings: Record<string, string> = {}, nodeOptions: string[] = []) {
  const env = { ...BARE_ENV, HOME: folder, PORT: "0", ...settings };
  const child = spawn(process.execPath, [...nodeOptions, entry], { cwd: folder, env });
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
