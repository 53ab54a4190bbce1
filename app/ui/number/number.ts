const number = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2, signDisplay: "negative" });
const change = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2, signDisplay: "exceptZero" });

/** `1.234,5`: up to two decimals, comma as decimal separator, dot between thousands (product specification, section 9). */
export function formatNumber(value: number): string {
  return Number.isFinite(value) ? number.format(value) : "–";
}

/** `1 friend`, `1.000 friends`. */
export const formatCount = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;

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

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `512 bytes`, `1,5 kB`, `20,25 MB`: bytes in steps of a thousand. */
export function formatSize(bytes: number): string {
  if (!Number.isFinite(bytes)) return "–";
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = bytes === 1 ? "byte" : (UNITS[step] ?? "bytes");
  return `${formatNumber(bytes / 1000 ** step)}\u00a0${unit}`;
}
