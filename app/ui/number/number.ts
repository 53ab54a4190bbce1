const number = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2, signDisplay: "negative" });
const change = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2, signDisplay: "exceptZero" });

/**
 * `1.234,5`: up to two decimals, comma as decimal separator, dot between thousands (product specification, section 9).
 */
export function formatNumber(value: number): string {
  // Most numbers on a page are this small, and Intl takes twenty times as long to write one.
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
  return Number.isFinite(value) ? number.format(value) : "–";
}

/** `1 friend`, `1.000 friends`; `+1 point` and `-1 point` of a change. */
export function formatCount(count: number, noun: string, format = formatNumber): string {
  const shown = format(count);
  return `${shown} ${noun}${/^[+-]?1$/.test(shown) ? "" : "s"}`;
}

/** What a number is a part of: `of 1 friend`, `of 1.000 friends`, and `no friends yet` where there are none. */
export const formatShare = (count: number, noun: string): string =>
  count === 0 ? `no ${noun}s yet` : `of ${formatCount(count, noun)}`;

/** As formatNumber, with `+` before what was gained: `+25`, `-1.000`, `0`. */
export function formatChange(value: number): string {
  return Number.isFinite(value) ? change.format(value) : "–";
}

/** A number to draw with: 0 for what is none, or has no sum with another. A backend may answer anything. */
export const toFinite = (value: number | undefined): number =>
  typeof value === "number" && Math.abs(value) < 1e300 ? value : 0;
