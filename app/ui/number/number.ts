const number = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2, signDisplay: "negative" });
const change = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2, signDisplay: "exceptZero" });

/**
 * `1.234,5`: up to two decimals, comma as decimal separator, dot between thousands (product specification, section 9).
 */
export function formatNumber(value: number): string {
  // Most numbers on a page are this small, and Intl takes twenty times as long to format one.
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
  return Number.isFinite(value) ? number.format(value) : "–";
}

/** `1 friend`, `1.000 friends`; `+1 point` and `-1 point` of a change. */
export function formatCount(count: number, noun: string, format = formatNumber): string {
  const shown = format(count);
  return `${shown} ${noun}${/^[+-]?1$/.test(shown) ? "" : "s"}`;
}

/** The whole that a number is a part of: `of 1 friend`, `of 1.000 friends`, or `no friends yet` for 0. */
export const formatShare = (count: number, noun: string): string =>
  count === 0 ? `no ${noun}s yet` : `of ${formatCount(count, noun)}`;

/** Like formatNumber, with `+` before a gain: `+25`, `-1.000`, `0`. */
export function formatChange(value: number): string {
  return Number.isFinite(value) ? change.format(value) : "–";
}

/** Returns a number to draw with: 0 if it is not a number, or too large to add up. A backend may send anything. */
export const toFinite = (value: number | undefined): number =>
  typeof value === "number" && Math.abs(value) < 1e300 ? value : 0;
