import { useEffect, useState } from "react";
import { formatNumber } from "../number/number.ts";
import type { BarGeometry } from "./bar-geometry.ts";
import type { ChartSeries } from "./bar-chart.tsx";

type BarTooltipProps = {
  bar: BarGeometry["bars"][number];
  label: string;
  series: ChartSeries[];
  values: Record<string, number>;
  total: number;
  totalHead: string;
};

/**
 * The values of one bar, in a box on the side of the bar where there is room. The pointer may move onto it, and Escape
 * closes it (WCAG 1.4.13). Rendered only in the browser.
 */
export function BarTooltip({ bar, label, series, values, total, totalHead }: BarTooltipProps) {
  const isPutAway = usePutAway(label);
  const isAtRest = useRest(label);
  if (isPutAway) return null;
  const style = bar.center > 50 ? { right: `${100 - bar.x}%` } : { left: `${bar.x + bar.width}%` };
  return (
    // Reaches up to the bar, so that the pointer crosses nothing else on its way.
    <div aria-hidden style={style} className={`absolute top-4 z-10 px-2 ${isAtRest ? "" : "pointer-events-none"}`}>
      <div className="grid gap-1.5 rounded-control border border-line-strong bg-surface px-3 py-2.5 font-sans text-hint whitespace-nowrap shadow-card">
        <strong className="font-strong">{label}</strong>
        {series
          .filter(({ key }) => values[key])
          .map(({ key, label: name, fill }) => (
            <Line key={key} value={values[key] ?? 0}>
              <svg width="8" height="8" className="forced-color-adjust-none">
                <rect width="8" height="8" rx="2" className={fill} />
              </svg>
              {name}
            </Line>
          ))}
        <Line value={total}>{totalHead}</Line>
      </div>
    </div>
  );
}

/** In milliseconds. */
const REST = 400;

/**
 * Returns whether the box has belonged to this bar for a moment. Until then the pointer may still be moving along the
 * bars, also those below the box.
 */
function useRest(label: string): boolean {
  const [rested, setRested] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setRested(label), REST);
    return () => clearTimeout(timer);
  }, [label]);
  return rested === label;
}

/**
 * Returns whether Escape has closed the box of this bar. That lasts until the pointer or the focus is on another bar.
 */
function usePutAway(label: string): boolean {
  const [putAway, setPutAway] = useState("");
  if (putAway && putAway !== label) setPutAway("");
  const isPutAway = putAway === label;
  useEffect(() => {
    if (isPutAway) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      // Escape closes the box, which lies over the page, before anything that is open in the page.
      event.stopPropagation();
      setPutAway(label);
    };
    addEventListener("keydown", closeOnEscape, true);
    return () => removeEventListener("keydown", closeOnEscape, true);
  }, [label, isPutAway]);
  return isPutAway;
}

function Line({ value, children }: { value: number; children: React.ReactNode }) {
  return (
    <span className="flex items-center gap-2 last:font-strong">
      {children}
      <span className="num ms-auto ps-5">{formatNumber(value)}</span>
    </span>
  );
}
