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
 * What one bar stands for, in a box beside it: on the side where there is room. The pointer may move onto it, and
 * Escape puts it away (WCAG 1.4.13). Only ever drawn in the browser.
 */
export function BarTooltip({ bar, label, series, values, total, totalHead }: BarTooltipProps) {
  const isPutAway = usePutAway(label);
  const isAtRest = useRest(label);
  if (isPutAway) return null;
  const style = bar.center > 50 ? { right: `${100 - bar.x}%` } : { left: `${bar.x + bar.width}%` };
  return (
    // Up to the bar: on its way from there the pointer is on nothing else.
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

/** Whether it has been this bar's for a moment. Before, the pointer is on its way along the bars, also below it. */
function useRest(label: string): boolean {
  const [rested, setRested] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setRested(label), REST);
    return () => clearTimeout(timer);
  }, [label]);
  return rested === label;
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
