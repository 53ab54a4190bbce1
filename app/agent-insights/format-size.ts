import { formatNumber } from "../ui/number/number.ts";

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** Formats bytes in steps of a thousand: `512 bytes`, `1,5 kB`, `20,25 MB`. */
export function formatSize(bytes: number): string {
  if (!Number.isFinite(bytes)) return "–";
  let value = bytes;
  let step = 0;
  // From here on, two decimals would round up to a thousand, which is 1 of the next unit.
  while (value >= 999.995 && step < UNITS.length - 1) {
    value /= 1000;
    step += 1;
  }
  const unit = bytes === 1 ? "byte" : (UNITS[step] ?? "bytes");
  return `${formatNumber(value)}\u00a0${unit}`;
}
