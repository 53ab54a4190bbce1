import type { Motion } from "./count-up.tsx";
import { formatNumber } from "./number.ts";

const DURATION_MS = 600;

/** Counts in whole numbers, and slows down towards the end. Does not move if the reader prefers reduced motion. */
export const countUp: Motion = (over, from, to) => {
  let now = to;
  let request: number | undefined;
  const start = performance.now();

  function step(time: number) {
    const part = Math.min(1, Math.max(0, (time - start) / DURATION_MS));
    now = part === 1 ? to : Math.round(to - (to - from) * (1 - part) ** 3);
    over.textContent = now === to ? "" : formatNumber(now);
    request = part === 1 ? undefined : requestAnimationFrame(step);
  }

  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) step(start);
  return () => {
    if (request !== undefined) cancelAnimationFrame(request);
    over.textContent = "";
    return now;
  };
};
