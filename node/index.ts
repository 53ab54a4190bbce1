import { existsSync } from "node:fs";
import { inspect } from "node:util";
import { ask } from "./ask.ts";
import { CallFailed } from "./call.ts";
import { systemClock } from "./clock.ts";
import { runNode } from "./run-node.ts";
import { NodeProblem } from "./problem.ts";
import { readNodeSettings, USAGE } from "./settings.ts";

const stop = new AbortController();
// Not once: npm passes on the Ctrl+C that the terminal sends to everyone anyway.
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stop.abort());

const say = (line: string) => process.stdout.write(`${line}\n`);
const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

async function main(): Promise<unknown> {
  if (existsSync(".env")) process.loadEnvFile();
  const settings = readNodeSettings(process.argv.slice(2), process.env);
  const { signal } = stop;
  if (!settings) return say(USAGE);
  return runNode(settings, {
    signal,
    clock: systemClock,
    random: Math.random,
    report: (line) => say(`${time.format(new Date())}  ${line}`),
    ask: process.stdin.isTTY ? (question, options) => ask(question, { ...options, signal }) : undefined,
  });
}

try {
  await main();
} catch (error) {
  // Stopped during the sign-in: there is nothing to keep.
  if (!stop.signal.aborted) {
    const isExplained = error instanceof CallFailed || error instanceof NodeProblem;
    process.stderr.write(`${isExplained ? error.message : inspect(error)}\n`);
    process.exitCode = 1;
  }
}
