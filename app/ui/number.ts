const number = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2, signDisplay: "negative" });
const change = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2, signDisplay: "exceptZero" });

/** `1.234,5`: up to two decimals, comma as decimal separator, dot between thousands (product specification, section 9). */
export function formatNumber(value: number): string {
  return Number.isFinite(value) ? number.format(value) : "–";
}

/** As formatNumber, with `+` before what was gained: `+25`, `-1.000`, `0`. */
export function formatChange(value: number): string {
  return Number.isFinite(value) ? change.format(value) : "–";
}
