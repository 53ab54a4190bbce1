import { toFinite } from "./number.ts";

type MeterProps = { label: string; value: number; max: number };

/**
 * Shows progress, in green once it is complete. Values that are not numbers count as 0. Drawn as SVG, because a width
 * in SVG needs no inline style.
 */
export function Meter({ label, ...given }: MeterProps) {
  const value = toFinite(given.value);
  const max = toFinite(given.max);
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <>
      <meter aria-label={label} min={0} max={max} value={value} className="sr-only" />
      <svg
        aria-hidden
        className="block h-2 w-full overflow-hidden rounded-tag bg-sunken inset-ring inset-ring-line forced-colors:border"
      >
        <rect width={`${share * 100}%`} height="100%" rx="4" className={share === 1 ? "fill-good" : "fill-ink"} />
      </svg>
    </>
  );
}
