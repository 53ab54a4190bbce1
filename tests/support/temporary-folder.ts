import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives a run a temporary folder of its own: what workers still have there when they are ended goes with it. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-run-"));
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}
