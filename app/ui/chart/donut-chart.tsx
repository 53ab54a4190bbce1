import { useId } from "react";
import { formatNumber } from "../number.ts";
import { donutArcs } from "./donut-geometry.ts";

export type DonutSlice = {
  label: string;
  value: number;
  /** The classes that fill its part of the ring and its mark in the legend. */
  fill: string;
  mark: string;
};

type DonutChartProps = {
  title: string;
  slices: DonutSlice[];
  /** Said when there is nothing to share out. */
  emptyText: string;
};

/** Shares of a whole as a ring; the legend below it carries the values. */
export function DonutChart({ title, slices, emptyText }: DonutChartProps) {
  const id = useId();
  const arcs = donutArcs(slices.map(({ label, value }) => ({ key: label, value })));
  const fills = Object.fromEntries(slices.map(({ label, fill }) => [label, fill]));

  return (
    <div className="grid gap-5">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing cannot be an img element */}
      <svg role="img" aria-labelledby={id} viewBox="-60 -60 120 120" className="mx-auto my-1 w-42.5">
        <title id={id}>{title}</title>
        {arcs.length === 0 && <circle r="48" strokeWidth="15" className="fill-none stroke-sunken" />}
        {arcs.map(({ key, path }) => (
          <path key={key} d={path} className={fills[key]} />
        ))}
      </svg>
      {arcs.length === 0 && <p className="text-center text-small text-ink-3">{emptyText}</p>}
      <dl className="grid gap-2.5 text-small">
        {slices.map(({ label, value, mark }) => (
          <div key={label} className="flex items-center gap-2.25">
            <dt className="flex min-w-0 items-center gap-2.25">
              <i aria-hidden className={`size-2 shrink-0 rounded-mark forced-color-adjust-none ${mark}`} />
              {label}
            </dt>
            <dd className="num ms-auto">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
