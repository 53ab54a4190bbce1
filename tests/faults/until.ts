import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds until something is so, or Infinity where it is not so in time. */
export async function until(isSo: () => boolean | Promise<boolean>, seconds: number): Promise<number> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > seconds * 1000) return Infinity;
    await pause(50);
  }
  return performance.now() - begun;
}
