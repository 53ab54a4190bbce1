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
 * What one bar stands for, in a box beside it: on the side where there is room. Escape puts it away (WCAG 1.4.13). Only
 * ever drawn in the browser.
 */
export function BarTooltip({ bar, label, series, values, total, totalHead }: BarTooltipProps) {
  const isPutAway = usePutAway(label);
  if (isPutAway) return null;
  const style = bar.center > 50 ? { right: `${100 - bar.x}%` } : { left: `${bar.x + bar.width}%` };
  return (
    <div
      aria-hidden
      style={style}
      className="pointer-events-none absolute top-4 z-10 mx-2 grid gap-1.5 rounded-control border border-line-strong bg-surface px-3 py-2.5 font-sans text-hint whitespace-nowrap shadow-card"
    >
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
  );
}

/** Whether the box of a bar was put away: until the pointer or the focus is on another one. */
function usePutAway(label: string): boolean {
  const [putAway, setPutAway] = useState("");
  if (putAway && putAway !== label) setPutAway("");
  const isPutAway = putAway === label;
  useEffect(() => {
    if (isPutAway) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      // What lies over the page goes before what is open in it.
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
