import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives a run its own temporary folder, and deletes it at the end with everything that killed workers have left there.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-run-"));
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}
