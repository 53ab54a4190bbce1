import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";

/** Kernel clock ticks per second: the unit of /proc/<pid>/stat. */
const CLOCK_TICKS = Number(spawnSync("getconf", ["CLK_TCK"], { encoding: "utf8" }).stdout);

/** Returns the user and system time of a process with all its threads, from the kernel's accounting. */
export async function cpuMicroseconds(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * (1_000_000 / CLOCK_TICKS);
}
