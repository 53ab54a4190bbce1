import { setTimeout as pause } from "node:timers/promises";

/** Returns the milliseconds until something is true, or Infinity if that takes too long. */
export async function until(isSo: () => boolean | Promise<boolean>, seconds: number): Promise<number> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > seconds * 1000) return Infinity;
    await pause(50);
  }
  return performance.now() - begun;
}
