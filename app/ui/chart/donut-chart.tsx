import { useId } from "react";
import { formatNumber } from "../number/number.ts";
import { donutArcs, type DonutArc } from "./donut-geometry.ts";
import { moveFocus } from "./move-focus.ts";
import { ValueTable } from "./value-table.tsx";

type DonutSlice = {
  label: string;
  value: number;
  /** The classes that fill its part of the ring and its mark in the legend. */
  fill: string;
  mark: string;
};

type DonutChartProps = {
  title: string;
  /** Names the slices in the table of values, such as "Category". */
  sliceHead: string;
  slices: DonutSlice[];
  /** Shown if there is nothing to share out. */
  emptyText: string;
};

const SERIES = [
  { key: "value", label: "Points" },
  { key: "share", label: "Share in %" },
];

/** Shares of a whole as a ring, with a legend that carries the values, and both as a table behind a toggle. */
export function DonutChart({ title, sliceHead, slices, emptyText }: DonutChartProps) {
  const arcs = donutArcs(slices.map(({ label, value }) => ({ key: label, value })));
  const shares = new Map(arcs.map(({ key, share }) => [key, share]));
  return (
    <div className="grid gap-5">
      <Ring title={title} arcs={arcs} slices={slices} />
      {arcs.length === 0 && <p className="text-center text-small text-ink-3">{emptyText}</p>}
      <dl className="grid gap-2.5 text-small">
        {slices.map(({ label, value, mark }) => (
          <div key={label} className="swatched">
            <dt className="swatched min-w-0">
              <i className={`swatch ${mark}`} />
              {label}
            </dt>
            <dd className="num ms-auto">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {arcs.length > 0 && (
        <div className="-mt-4 -mb-1.5">
          <ValueTable
            caption={title}
            barHead={sliceHead}
            series={SERIES}
            bars={slices.map(({ label, value }) => ({
              label,
              // A value that is unknown has no known share.
              values: { value, share: value && Math.round((shares.get(label) ?? 0) * 10) / 10 },
            }))}
          />
        </div>
      )}
    </div>
  );
}

type RingProps = Pick<DonutChartProps, "title" | "slices"> & { arcs: DonutArc[] };

function Ring({ title, arcs, slices }: RingProps) {
  const id = useId();
  const sliceOf = new Map(slices.map((slice) => [slice.label, slice]));
  const described = arcs.map(({ key, share }) => `${key} ${formatPercent(share)}`).join(", ");
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it moves the focus among its parts
    <svg
      // Another number of parts is another ring, with its own Tab stop.
      key={arcs.length}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing cannot be another element
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-desc`}
      viewBox="-60 -60 120 120"
      className="ring-chart"
      onKeyDown={moveFocus}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{described}</desc>
      {arcs.length === 0 && <circle r="48" strokeWidth="15" className="fill-none stroke-sunken" />}
      {arcs.map(({ key, path, share }, index) => (
        <g key={key}>
          <path
            d={path}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a part of a drawing cannot be an img element
            role="img"
            aria-label={`${key}: ${formatNumber(sliceOf.get(key)?.value ?? 0)}, ${formatPercent(share)}`}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its value must be reachable by keyboard
            tabIndex={index === 0 ? 0 : -1}
            className={sliceOf.get(key)?.fill}
          />
          <text y="4">{formatPercent(share)}</text>
        </g>
      ))}
    </svg>
  );
}

const formatPercent = (share: number) => `${formatNumber(Math.round(share * 10) / 10)} %`;
