import { formatNumber } from "../ui/number/number.ts";

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `512 bytes`, `1,5 kB`, `20,25 MB`: bytes in steps of a thousand. */
export function formatSize(bytes: number): string {
  if (!Number.isFinite(bytes)) return "–";
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = bytes === 1 ? "byte" : (UNITS[step] ?? "bytes");
  return `${formatNumber(bytes / 1000 ** step)}\u00a0${unit}`;
}
