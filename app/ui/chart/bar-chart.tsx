import { useId, useState, type ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { formatNumber } from "../number/number.ts";
import { moveFocus } from "./move-focus.ts";
import { barGeometry, showsLabel, type BarGeometry } from "./bar-geometry.ts";
import type { BarTooltip } from "./bar-tooltip.tsx";
import { ValueTable } from "./value-table.tsx";

export type ChartSeries = {
  key: string;
  label: string;
  /** The class that fills its bars, such as `fill-referral`. */
  fill: string;
};

type BarChartProps = {
  title: string;
  /** Describes the picture in words. */
  description: string;
  series: ChartSeries[];
  bars: { label: string; values: Record<string, number>; total: number }[];
  average: number;
  /** Names the bars in the table of values, such as "Day". */
  barHead: string;
  totalHead: string;
};

/** In pixels. */
const TOP = 22;
const PLOT = 225;
const HEIGHT = 276;
/** The index when no bar is shown. */
const NONE = -1;

/** Stacked bars with a grid, the average as a dashed line, and the values as a table behind a toggle. */
export function BarChart({ title, description, series, bars, average, barHead, totalHead }: BarChartProps) {
  const geometry = barGeometry({
    bars: bars.map(({ values }) => values),
    keys: series.map(({ key }) => key),
    average,
    height: PLOT,
    top: TOP,
  });
  const fills = Object.fromEntries(series.map(({ key, fill }) => [key, fill]));
  const [shown, setShown] = useState(NONE);
  const [bar, input] = [geometry.bars[shown], bars[shown]];
  const [Tooltip, setTooltip] = useState<typeof BarTooltip>();

  function show(index: number) {
    setShown(index);
    // Loaded only when the reader points at a bar. If that fails, the chart stays and the next bar tries again.
    import("./bar-tooltip.tsx").then(
      (loaded) => setTooltip(() => loaded.BarTooltip),
      () => {},
    );
  }

  return (
    <figure className="@container font-mono text-label">
      <div className="flex">
        <Scale grid={geometry.grid} />
        <Plot
          // Another range is another drawing, with its own Tab stop.
          key={bars.length}
          title={title}
          description={description}
          geometry={geometry}
          average={average}
          tooltip={Tooltip && bar && input && <Tooltip bar={bar} {...input} series={series} totalHead={totalHead} />}
          onLeave={() => setShown(NONE)}
        >
          {geometry.bars.map((bar, index) => (
            <Bar
              // Keyed by position: when the days move on at midnight, the focus and the one Tab stop stay.
              key={bar.x}
              bar={bar}
              fills={fills}
              label={bars[index]?.label ?? ""}
              total={bars[index]?.total ?? 0}
              parts={describeParts(series, bars[index]?.values)}
              onShow={() => show(index)}
              isLast={index === bars.length - 1}
            />
          ))}
          <Ticks bars={geometry.bars.map(({ center }, index) => ({ center, label: bars[index]?.label }))} />
        </Plot>
      </div>
      <ValueTable caption={title} series={series} bars={bars} barHead={barHead} totalHead={totalHead} />
    </figure>
  );
}

/** The width of a character of the monospaced font in `em`, when it is drawn in whole pixels. */
const CHARACTER = 0.64;

/** The values of the grid lines, as wide as the longest number. */
function Scale({ grid }: Pick<BarGeometry, "grid">) {
  const labels = grid.map(({ value, y }) => ({ text: formatNumber(value), y: y + 4 }));
  const width = CHARACTER * Math.max(...labels.map(({ text }) => text.length));
  return (
    <svg aria-hidden width={`${width}em`} height={HEIGHT} className="bars-scale">
      {labels.map(({ text, y }) => (
        <text key={text} x="100%" y={y}>
          {text}
        </text>
      ))}
    </svg>
  );
}

function GridLines({ grid }: Pick<BarGeometry, "grid">) {
  return grid.map(({ value, y }) => <line key={value} x1="0" x2="100%" y1={y} y2={y} />);
}

type PlotProps = {
  title: string;
  description: string;
  geometry: BarGeometry;
  average: number;
  /** The tooltip of the bar that the pointer or the focus is on. */
  tooltip: ReactNode;
  onLeave: () => void;
  children: ReactNode;
};

function Plot({ title, description, geometry, average, tooltip, onLeave, children }: PlotProps) {
  const id = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only listens to events from its content
    <div onPointerLeave={onLeave} onBlur={onLeave} className="relative w-0 grow">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it moves the focus among its bars */}
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing cannot be another element
        role="group"
        onKeyDown={moveFocus}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-desc`}
        height={HEIGHT}
        className="bars"
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-desc`}>{description}</desc>
        <GridLines grid={geometry.grid} />
        {children}
        <line
          x1="0"
          x2="100%"
          y1={geometry.averageY}
          y2={geometry.averageY}
          strokeWidth="1.2"
          strokeDasharray="3 4"
          className="pointer-events-none stroke-ink"
        />
        <text aria-hidden x="100%" y="10" textAnchor="end" className="fill-ink-2">
          - - average {formatNumber(average)}
        </text>
      </svg>
      {tooltip}
    </div>
  );
}

type BarProps = {
  bar: BarGeometry["bars"][number];
  fills: Record<string, string>;
  label: string;
  total: number;
  /** What the total is made of, in words. */
  parts: string;
  /** Whether this is the last bar, which is today. The Tab key leads to it first. */
  isLast: boolean;
  /** Called when the pointer or the focus comes to the bar. */
  onShow: () => void;
};

const describeParts = (series: ChartSeries[], values: Record<string, number> = {}) =>
  series.flatMap(({ key, label }) => (values[key] ? [`${label} ${formatNumber(values[key])}`] : [])).join(", ");

/** One bar. Until a script can show its values beside it, the browser's own tooltip names it. */
function Bar({ bar, fills, label, total, parts, isLast, onShow }: BarProps) {
  const name = `${label}: ${formatNumber(total)}${parts && ` (${parts})`}`;
  const isHydrated = useHydrated();
  return (
    <g>
      <rect
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a part of a drawing cannot be an img element
        role="img"
        aria-label={isHydrated ? name : undefined}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its value must be reachable by keyboard
        tabIndex={isLast ? 0 : -1}
        onPointerEnter={onShow}
        onFocus={onShow}
        x={`${bar.x}%`}
        width={`${bar.width}%`}
        y={TOP}
        height={PLOT}
      >
        {!isHydrated && <title>{name}</title>}
      </rect>
      {bar.segments.map(({ key, y, height }) => (
        // The stroke has the card's colour and leaves a gap between the segments.
        <rect key={key} x={`${bar.x}%`} width={`${bar.width}%`} y={y} height={height} className={fills[key]} />
      ))}
    </g>
  );
}

type TicksProps = { bars: { center: number; label: string | undefined }[] };

/** Labels below some of the bars. Screen readers skip them, because each bar has its label in its name. */
const Ticks = ({ bars }: TicksProps) => (
  <g aria-hidden>
    {bars.map(
      ({ center, label }, index) =>
        showsLabel(index, bars.length) && (
          <text
            key={center}
            x={`${center}%`}
            y={HEIGHT - 7}
            className={isOptional(index, bars.length) ? "@max-lg:hidden" : undefined}
          >
            {label}
          </text>
        ),
    )}
  </g>
);

/** Returns whether a narrow card hides a label: it hides every second one. */
const isOptional = (index: number, count: number) => Math.floor((count - 1 - index) / Math.ceil(count / 7)) % 2 === 1;
