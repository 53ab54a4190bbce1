import { scaleBand } from "d3-scale";
import { stack, stackOffsetDiverging, type SeriesPoint } from "d3-shape";
import { toFinite } from "../number/number.ts";

export type BarInput = {
  /** One object per bar, left to right; what is no number counts as 0. */
  bars: Record<string, number>[];
  /** The keys to stack, from the bottom up. */
  keys: string[];
  average: number;
  /** Of the plot in pixels, from the highest grid line to the lowest. */
  height: number;
  /** From the top of the drawing to the highest grid line, in pixels. */
  top: number;
};

/** Across in per cent, so that the drawing follows its width; down in pixels, because its height is fixed. */
export type BarGeometry = {
  grid: { value: number; y: number }[];
  bars: { x: number; width: number; center: number; top: number; segments: Segment[] }[];
  averageY: number;
};

export type Segment = { key: string; y: number; height: number };

const GRID_LINES = 4;

/** Where everything in a stacked bar chart goes. Values below zero hang down from the zero line. */
export function barGeometry({ bars, keys, height, top, ...input }: BarInput): BarGeometry {
  const average = toFinite(input.average);
  const series = stack<Record<string, number>>()
    .keys(keys)
    .value((bar, key) => toFinite(bar[key]))
    .offset(stackOffsetDiverging)(bars);
  const ends = series.flatMap((points) => points.flatMap(([from, to]) => [from, to]));
  const ticks = gridValues(Math.min(0, average, ...ends), Math.max(0, average, ...ends));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const y = (value: number) => round(top + ((high - value) / (high - low)) * height);
  const band = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([0, 100])
    .paddingInner(bars.length > 31 ? 0.25 : 0.42)
    .paddingOuter(bars.length > 31 ? 0.1 : 0.19);

  return {
    grid: ticks.map((value) => ({ value, y: y(value) })),
    averageY: y(average),
    bars: bars.map((_, index) => {
      const segments = series.flatMap((points) => segmentOf(points.key, points[index], y));
      const x = band(index) ?? 0;
      return {
        x: round(x),
        width: round(band.bandwidth()),
        center: round(x + band.bandwidth() / 2),
        top: Math.min(y(0), ...segments.map((segment) => segment.y)),
        segments,
      };
    }),
  };
}

function segmentOf(key: string, range: SeriesPoint<unknown> | undefined, y: (value: number) => number): Segment[] {
  if (!range || range[0] === range[1]) return [];
  const { 0: from, 1: to } = range;
  return [{ key, y: y(to), height: round(y(from) - y(to)) }];
}

/** Four evenly spaced round numbers that enclose the range; zero is among them. */
export function gridValues(min: number, max: number): number[] {
  let step = roundUp((max - min) / (GRID_LINES - 1) || 1);
  let start = Math.floor(min / step) * step;
  while (start + step * (GRID_LINES - 1) < max) {
    step = roundUp(step * 1.01);
    start = Math.floor(min / step) * step;
  }
  return Array.from({ length: GRID_LINES }, (_, index) => Number((start + index * step).toPrecision(12)));
}

const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The next number whose leading digits read easily on an axis. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = ROUND.find((candidate) => candidate * power >= value * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Whether a bar's label is drawn: about seven of them, counted from the last, which is today. */
export function showsLabel(index: number, count: number): boolean {
  return (count - 1 - index) % Math.ceil(count / 7) === 0;
}

const round = (value: number) => Math.round(value * 100) / 100;
