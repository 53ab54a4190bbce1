import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { readIfThere } from "./files.ts";
import { NodeProblem } from "./problem.ts";

/** How a node on the same machine reaches a running demo. */
const DemoAccess = z.object({ url: z.url(), email: z.string(), password: z.string() });
export type DemoAccess = z.infer<typeof DemoAccess>;

const fileIn = (dataDir: string) => join(dataDir, "demo-node.json");

/** Writes what `npm run node` needs to reach this demo, to a file that only its owner can read. */
export async function writeDemoAccess(dataDir: string, access: DemoAccess): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(fileIn(dataDir), `${JSON.stringify(access)}\n`, { mode: 0o600 });
}

/** Returns undefined if no demo has left anything. */
export function readDemoAccess(dataDir: string): DemoAccess | undefined {
  try {
    const text = readIfThere(fileIn(dataDir));
    return text === undefined ? undefined : DemoAccess.parse(JSON.parse(text));
  } catch (error) {
    throw new NodeProblem(`${fileIn(dataDir)} cannot be read. Start the demo again to replace it.`, {
      cause: error,
    });
  }
}
