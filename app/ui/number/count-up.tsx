import { useLayoutEffect, useRef } from "react";
import { formatNumber } from "./number.ts";

/**
 * Moves a number over the one that stands there already. Returns what ends that, and says where it was.
 * Milliseconds and manner are its own.
 */
export type Motion = (over: Element, from: number, to: number) => () => number;

let motion: Motion | undefined;

/** Brings in what moves numbers, which is not needed for a page to come to life. Until then they change at once. */
export const setMotion = (loaded: Motion): void => void (motion = loaded);

/**
 * A number that moves calmly to its next value. The value itself stands there at once, in its own width, for whoever
 * reads it out; what moves lies over it.
 */
export function CountUp({ value }: { value: number }) {
  const over = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  useLayoutEffect(() => {
    const from = shown.current;
    shown.current = value;
    if (from === value || !over.current) return undefined;
    const stop = motion?.(over.current, from, value);
    return stop && (() => void (shown.current = stop()));
  }, [value]);

  return (
    <span className="count">
      <span ref={over} aria-hidden />
      <span>{formatNumber(value)}</span>
    </span>
  );
}
