import { useLayoutEffect, useRef } from "react";
import { formatNumber } from "./number.ts";

const DURATION_MS = 600;

/**
 * A number that moves calmly to its next value. The value itself stands there at once, in its own width, for whoever
 * reads it out; what moves lies over it. Still on the first paint and where less motion is asked for.
 */
export function CountUp({ value }: { value: number }) {
  const frame = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  useLayoutEffect(() => {
    const from = shown.current;
    shown.current = value;
    const moving = frame.current?.lastElementChild;
    if (from === value || !moving || matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
    const stop = move(from, value, (now) => {
      shown.current = now;
      moving.textContent = now === value ? "" : formatNumber(now);
    });
    return () => {
      stop();
      moving.textContent = "";
    };
  }, [value]);

  return (
    <span ref={frame} className="relative inline-block">
      <span className="has-[+:not(:empty)]:opacity-0">{formatNumber(value)}</span>
      <span aria-hidden className="absolute inset-e-0 whitespace-nowrap" />
    </span>
  );
}

/** Calls back in every frame, at last with `to`; whole numbers in between, and slower towards the end. */
function move(from: number, to: number, show: (now: number) => void): () => void {
  const start = performance.now();
  let request = requestAnimationFrame(step);
  show(from);
  function step(time: number) {
    const part = Math.min(1, Math.max(0, (time - start) / DURATION_MS));
    const isThere = part === 1;
    show(isThere ? to : Math.round(to - (to - from) * (1 - part) ** 3));
    if (!isThere) request = requestAnimationFrame(step);
  }
  return () => cancelAnimationFrame(request);
}
