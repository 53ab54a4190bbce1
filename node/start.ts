import { inspect } from "node:util";
import { prompt } from "./prompt.ts";
import { CallFailed } from "./call.ts";
import { systemClock } from "./clock.ts";
import { runNode } from "./run-node.ts";
import { NodeProblem } from "./problem.ts";
import { describeUsage, readNodeSettings, type Launch } from "./settings.ts";

/** The exit status if only a person can help, so that a service manager can leave the node stopped (README.md). */
const REFUSED = 77;

/** A revoked key, and a wrong password, which counts as a guess each time. An unknown key may become known again. */
const FINAL = new Set<string | undefined>(["KEY_REVOKED", "INVALID_CREDENTIALS"]);

/**
 * Runs the node as its command line and environment say, until a signal ends it. Reports what went wrong in a sentence.
 */
export async function start(prepare: () => Launch): Promise<void> {
  const stop = new AbortController();
  // Not `once`: the terminal sends Ctrl+C to every process, and npm passes it on as well.
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stop.abort());
  // Keep beating if the output cannot be written, such as on a full disk.
  process.stdout.on("error", () => {});
  try {
    await run(prepare(), stop.signal);
  } catch (error) {
    // It was stopped during the sign-in, so there is nothing to save.
    if (stop.signal.aborted) return;
    const isExplained = error instanceof CallFailed || error instanceof NodeProblem;
    process.stderr.write(`${isExplained ? error.message : inspect(error)}\n`);
    process.exitCode = error instanceof CallFailed && FINAL.has(error.code) ? REFUSED : 1;
  }
}

const printLine = (line: string) => process.stdout.write(`${line}\n`);
const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

async function run(launch: Launch, signal: AbortSignal): Promise<unknown> {
  const settings = readNodeSettings(process.argv.slice(2), process.env, launch);
  if (!settings) return printLine(describeUsage(launch));
  return runNode(settings, {
    signal,
    clock: systemClock,
    random: Math.random,
    report: (line) => printLine(`${time.format(new Date())}  ${line}`),
    prompt: process.stdin.isTTY ? (question, options) => prompt(question, { ...options, signal }) : undefined,
  });
}
