import { formatCount } from "../ui/number/number.ts";

const UNITS = [
  ["day", 24 * 60 * 60],
  ["hour", 60 * 60],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats seconds in the largest unit that needs no fraction: `15 minutes`, `1 hour`, `7 days`. */
export function describeDuration(seconds: number): string {
  const { amount, unit } = measure(seconds);
  return formatCount(amount, unit);
}

/** Formats an interval: `every 15 minutes`, `every hour`. */
export function describeInterval(seconds: number): string {
  return measure(seconds).amount === 1 ? `every ${measure(seconds).unit}` : `every ${describeDuration(seconds)}`;
}

function measure(seconds: number) {
  const [unit, length] = UNITS.find(([, size]) => seconds >= size && seconds % size === 0) ?? ["second", 1];
  return { amount: seconds / length, unit };
}
