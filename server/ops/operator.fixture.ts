import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runCommand } from "./command.ts";
import { listenForOperations } from "./control-server.ts";

type Deps = Parameters<typeof listenForOperations>[0];

/**
 * Starts a control socket with these dependencies, and returns the command of its operator. The command returns its
 * exit code and what it printed, without the reports of progress.
 */
export async function startOperator(deps: Deps): Promise<(...args: string[]) => Promise<string>> {
  const dataDir = await mkdtemp(join(tmpdir(), "nodebeat-ops-"));
  const stop = await listenForOperations(deps, dataDir);
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true });
  });
  return async (...args) => {
    const out: string[] = [];
    const err: string[] = [];
    const terminal = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
    const status = await runCommand(args, { DATA_DIR: dataDir }, terminal);
    return `${status} ${(out.length > 0 ? out : err).join("\n")}`;
  };
}

/** Reads what an operation printed with --json, after the exit code. */
export const readJson = (said: string): unknown => JSON.parse(said.slice(2));
