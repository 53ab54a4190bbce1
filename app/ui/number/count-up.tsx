import { useLayoutEffect, useRef } from "react";
import { formatNumber } from "./number.ts";

/**
 * Animates a number over the one in the page. Returns a function that stops the animation and returns the number it had
 * reached. Duration and easing are up to the motion.
 */
export type Motion = (over: Element, from: number, to: number) => () => number;

let motion: Motion | undefined;

/** Sets the animation once it has loaded, which hydration does not wait for. Until then numbers change at once. */
export const setMotion = (loaded: Motion): void => void (motion = loaded);

/**
 * A number that moves calmly to its next value. The value itself is there at once, in its own width, for screen
 * readers. The animation lies over it.
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
