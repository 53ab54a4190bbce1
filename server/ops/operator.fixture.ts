import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runCommand } from "./command.ts";
import { listenForOperations } from "./control-server.ts";

type Deps = Parameters<typeof listenForOperations>[0];

/**
 * The command of an operator whose server has these dependencies, through its control socket. Says what came of what
 * was typed: the exit code, and what was printed, without how far it was meanwhile.
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

/** The lines after the exit code, as an operation prints them with --json. */
export const readJson = (said: string): unknown => JSON.parse(said.slice(2));
