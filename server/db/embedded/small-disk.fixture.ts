import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder on a disk that can be filled up and emptied again. */
export type SmallDisk = {
  folder: string;
  /** The file that `full-disk.fixture.ts` checks. */
  switch: string;
  fill(level: "full" | "low"): void;
  empty(): void;
  remove(): void;
};

const MEBIBYTE = 1024 * 1024;
const SIZE = 192;

/** Creates a simulated disk, using `full-disk.fixture.ts`. Works for every user. */
export function createPlayedDisk(): SmallDisk {
  const root = mkdtempSync(join(tmpdir(), "nodebeat-disk-"));
  const file = join(root, "switch");
  return {
    folder: join(root, "data"),
    switch: file,
    fill: (level) => writeFileSync(file, level),
    empty: () => rmSync(file),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Mounts a real, small file system in memory. Only root may do that: returns undefined for everyone else. */
export function mountSmallDisk(): SmallDisk | undefined {
  const root = mkdtempSync(join(tmpdir(), "nodebeat-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}m`, "tmpfs", root]).status === 0;
  if (!mounted) {
    rmSync(root, { recursive: true });
    return undefined;
  }
  const ballast = join(root, "ballast");
  return {
    folder: join(root, "data"),
    switch: join(root, "no switch"),
    fill: (level) => writeFileSync(ballast, new Uint8Array(countFree(root) - (level === "low" ? 32 * MEBIBYTE : 0))),
    empty: () => rmSync(ballast),
    remove() {
      spawnSync("umount", [root]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function countFree(folder: string) {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
