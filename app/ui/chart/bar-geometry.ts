import { toFinite } from "../number/number.ts";

type BarInput = {
  /** One object per bar, left to right. Values that are not numbers count as 0. */
  bars: Record<string, number>[];
  /** The keys to stack, from the bottom up. */
  keys: string[];
  average: number;
  /** Height of the plot in pixels, from the highest grid line to the lowest. */
  height: number;
  /** From the top of the drawing to the highest grid line, in pixels. */
  top: number;
};

/**
 * Horizontal values are in per cent, so that the drawing follows its width. Vertical ones are in pixels, because its
 * height is fixed.
 */
export type BarGeometry = {
  grid: { value: number; y: number }[];
  bars: { x: number; width: number; center: number; top: number; segments: Segment[] }[];
  averageY: number;
};

type Segment = { key: string; y: number; height: number };

const GRID_LINES = 4;

/** The gap between two bars, and the one at either end, as a share of the distance from one bar to the next. */
const FEW = { inner: 0.42, outer: 0.19 };
const MANY = { inner: 0.25, outer: 0.1 };

/**
 * Computes where everything in a stacked bar chart goes. Values below zero hang down from the zero line. Written by
 * hand, because d3's scales and stacks can do far more, and would add too much to the dashboard's script.
 */
export function barGeometry({ bars, keys, height, top, ...input }: BarInput): BarGeometry {
  const average = toFinite(input.average);
  const stacks = bars.map((bar) => stack(bar, keys));
  const ends = stacks.flat().flatMap(({ from, to }) => [from, to]);
  const ticks = gridValues(Math.min(0, average, ...ends), Math.max(0, average, ...ends));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const y = (value: number) => round(top + ((high - value) / (high - low)) * height);
  const { inner, outer } = bars.length > 31 ? MANY : FEW;
  const step = 100 / (bars.length - inner + 2 * outer);
  const width = step * (1 - inner);

  return {
    grid: ticks.map((value) => ({ value, y: y(value) })),
    averageY: y(average),
    bars: stacks.map((parts, index) => {
      const segments = parts.map(({ key, from, to }) => ({ key, y: y(to), height: round(y(from) - y(to)) }));
      const x = step * (outer + index);
      return {
        x: round(x),
        width: round(width),
        center: round(x + width / 2),
        top: Math.min(y(0), ...segments.map((segment) => segment.y)),
        segments,
      };
    }),
  };
}

/** Stacks the values of a bar upwards from zero, and negative ones downwards. Leaves out those that are 0. */
function stack(bar: Record<string, number>, keys: string[]): { key: string; from: number; to: number }[] {
  let [low, high] = [0, 0];
  return keys.flatMap((key) => {
    const value = toFinite(bar[key]);
    if (value === 0) return [];
    const edge = value > 0 ? high : low;
    if (value > 0) high += value;
    else low += value;
    return [{ key, from: Math.min(edge, edge + value), to: Math.max(edge, edge + value) }];
  });
}

/** Returns four evenly spaced round numbers that enclose the range. Zero is among them. */
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

/**
 * Rounds up to a number whose leading digits read easily on an axis, in whole hundredths: labels show no more decimals.
 */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = ROUND.find((candidate) => candidate * power >= value * (1 - 1e-9)) ?? 10;
  return Math.ceil(Number((factor * power * 100).toPrecision(12))) / 100;
}

/** Returns whether a bar's label is drawn. At most seven are, counted from the last, which is today. */
export function showsLabel(index: number, count: number): boolean {
  return (count - 1 - index) % Math.ceil(count / 7) === 0;
}

const round = (value: number) => Math.round(value * 100) / 100;
